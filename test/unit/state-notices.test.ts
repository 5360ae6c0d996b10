import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import test from 'node:test';
import { sql } from 'kysely';
import type { Ears, State } from '../../data/state/index.js';
import { onEachBackend } from '../support/backends.js';

/** Ears whose events can be awaited. */
function listening(): { ears: Ears; events: EventEmitter } {
  const events = new EventEmitter();
  const ears = {
    onNotice: (text: string) => events.emit('notice', text),
    onDeaf: () => events.emit('deaf'),
    onHearing: () => events.emit('hearing'),
  };
  return { ears, events };
}

async function assertHears(state: State, channel: string, events: EventEmitter, text: string): Promise<void> {
  const heard = once(events, 'notice');
  await state.notify(channel, text);
  assert.deepEqual(await heard, [text]);
}

onEachBackend((backend, open) => {
  test(`${backend}: a notice reaches who listens on its channel, and nobody else`, async () => {
    const state = await open();
    const [here, there] = [listening(), listening()];
    there.events.on('notice', () => assert.fail('another channel'));
    await state.listen('one_channel', here.ears);
    await state.listen('another_channel', there.ears);
    await state.notify('nobody_listens', 'x');
    await assertHears(state, 'one_channel', here.events, `{"kind":"user's"}`);
  });

  test(`${backend}: a listener hears while transactions come and go`, async () => {
    const state = await open();
    const { ears, events } = listening();
    const transaction = state.db.transaction().execute(async (inner) => {
      await sql`select 1`.execute(inner);
      throw new Error('rolled back');
    });
    await Promise.all([assert.rejects(transaction), state.listen('busy', ears)]);
    await assertHears(state, 'busy', events, 'still there');
  });

  if (backend !== 'server') return;
  test('a listener whose connection breaks says so, and hears again over another', async () => {
    const state = await open();
    const { ears, events } = listening();
    await state.listen('broken', ears);
    const [deaf, hearing] = [once(events, 'deaf'), once(events, 'hearing')];
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen "broken"'`.execute(state.db);
    await deaf;
    await hearing;
    await assertHears(state, 'broken', events, 'back');
  });
});
