import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import test from 'node:test';
import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Ears } from '../../../../data/state/index.js';
import { openServer } from '../../../../data/state/server.js';
import type { State } from '../../../../service/state/index.js';
import { onEachBackend } from '../../../support/backends.js';
import { startProxy } from '../../../support/proxy.js';

/** Listeners whose events a test can await. */
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
  test(`${backend}: a notice reaches the listeners of its channel only`, async () => {
    const state = await open();
    const [here, there] = [listening(), listening()];
    there.events.on('notice', () => assert.fail('another channel'));
    await state.listen('one_channel', here.ears);
    await state.listen('another_channel', there.ears);
    await state.notify('nobody_listens', 'x');
    await assertHears(state, 'one_channel', here.events, `{"kind":"user's"}`);
  });

  if (backend !== 'server') return;
  test('a listener whose connection breaks reports it, and receives notices again over another', async () => {
    const state = await open();
    const { ears, events } = listening();
    await state.listen('broken', ears);
    const [deaf, hearing] = [once(events, 'deaf'), once(events, 'hearing')];
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen "broken"'`.execute(state.db);
    await deaf;
    await hearing;
    await assertHears(state, 'broken', events, 'back');
  });

  test('a statement or a close gives up on a server that takes too long or falls silent', async () => {
    const { rows } = await sql<{ port: string; name: string }>`
      select current_setting('port') as port, current_database() as name`.execute((await open()).db);
    const { port, name } = rows[0]!;
    const proxy = await startProxy(Number(port));
    const url = `postgres://barline@127.0.0.1:${proxy.port}/${name}`;
    const server = openServer(url, { statementMsMax: 100, silenceMsMax: 1_000, closeMsMax: 100 });
    const db = new Kysely({ dialect: new PostgresDialect({ pool: server.pool }) });
    const queuePool = await server.openQueuePool('public');
    const held = await queuePool.connect();
    await server.listen('silent', listening().ears);
    await assert.rejects(sql`select pg_sleep(60)`.execute(db), /statement timeout/);
    await assert.rejects(queuePool.query('select pg_sleep(60)'), /statement timeout/);

    proxy.fallSilent();
    await assert.rejects(sql`select 1`.execute(db), /does not answer/);
    // Kept without a statement for any time.
    const waiting = assert.rejects(held.query('select 1'), /terminated/);
    await db.destroy();
    await server.release();
    await waiting;
    await proxy.stop();
  });
});
