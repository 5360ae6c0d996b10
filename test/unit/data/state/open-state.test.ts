import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { inspect } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { PglitePool } from '../../../../data/state/embedded/pglite-pool.js';
import { openState, serverSecret } from '../../../../service/state/index.js';
import { onEachBackend } from '../../../support/backends.js';
import { newHome } from '../../../support/state.js';

const lockOf = (home: string): string => join(home, 'server.lock');

test('the lock of a process that has ended is taken over', async () => {
  const home = await newHome();
  const { pid } = spawnSync('true');
  writeFileSync(lockOf(home), `${pid} 1 ${hostname()}\n`);
  const state = await openState({ home });
  assert.match(readFileSync(lockOf(home), 'utf8'), new RegExp(`^${process.pid} `));
  await state.close();
});

test('a store migrated by a later version is refused, and the refusal leaves no lock', async () => {
  const home = await newHome();
  const state = await openState({ home });
  await sql`insert into kysely_migration values ('9999-later', '2030-01-01T00:00:00.000Z')`.execute(state.db);
  await state.close();
  await assert.rejects(
    openState({ home }),
    /a later version of Barline made this store: this version does not know 9999-later/,
  );
  assert.ok(!existsSync(lockOf(home)), 'the refused process leaves no lock');
});

test('a store whose thread has died fails every statement, and no other thread continues a transaction', async () => {
  const folder = join(await newHome(), 'state');
  const pool = await PglitePool.open(folder);
  const client = await pool.connect();
  await client.query('create table kept (a int)');
  await client.query('begin');
  await client.query('insert into kept values (1)');
  const { thread } = pool as unknown as { thread: Worker };
  const endless = client.query('insert into kept select 2 from generate_series(1, 1000000000)');
  const pending = assert.rejects(endless, /thread of the embedded store/);
  await thread.terminate();
  await pending;
  await assert.rejects(client.query('commit'), /thread of the embedded store/);
  client.release();
  await pool.end();

  const again = await PglitePool.open(folder);
  const reader = await again.connect();
  assert.deepEqual((await reader.query('select a from kept')).rows, []);
  reader.release();
  await again.end();
});

test('the error of a failed statement does not contain its values', async () => {
  const pool = await PglitePool.open(join(await newHome(), 'state'));
  const client = await pool.connect();
  await client.query('create table kept (secret text, a int not null)');
  await assert.rejects(client.query('insert into kept values ($1, null)', ['hush']), (error: Error) => {
    assert.match(error.message, /violates not-null constraint/);
    assert.doesNotMatch(inspect(error, { depth: null }), /hush/);
    return true;
  });
  client.release();
  await pool.end();
});

onEachBackend((backend, open) => {
  test(`a secret is made once and stays, ${backend}`, async () => {
    const { db } = await open();
    const [first, twin] = await Promise.all([serverSecret(db, 'a'), serverSecret(db, 'a')]);
    assert.equal(first, twin);
    assert.ok(first.length >= 64);
    assert.equal(await serverSecret(db, 'a'), first);
    assert.notEqual(await serverSecret(db, 'b'), first);
  });
});
