import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { openEmbeddedStore } from '../../../../data/state/embedded/index.js';
import { PglitePool } from '../../../../data/state/embedded/pglite-pool.js';
import { openState, serverSecret } from '../../../../service/state/index.js';
import { onEachBackend } from '../../../support/backends.js';
import { startServiceProcess } from '../../../support/service-process.js';
import { newHome } from '../../../support/state.js';
import { loaderArgs, moduleUrl } from '../../../support/tree.js';

const lockOf = (home: string): string => join(home, 'server.lock');

test('an open store cannot be opened again, and the error names its holder', async () => {
  const home = await newHome();
  const state = await openState({ home });
  await assert.rejects(openState({ home }), (error: Error) =>
    error.message.includes(`in use by process ${process.pid}`),
  );
  await state.close();
  const again = await openState({ home });
  await again.close();
  assert.ok(!existsSync(lockOf(home)), 'a closed store leaves no lock');
});

test('a store whose closing fails leaves no lock either', async () => {
  const home = await newHome();
  const { pool, release } = await openEmbeddedStore(home);
  const end = async (): Promise<void> => {
    await pool.end();
    throw new Error('the end failed');
  };
  const failing = {
    pool: { use: () => pool.use(), connect: () => pool.connect(), listen: pool.listen.bind(pool), end },
    release,
  };
  const state = await openState({ home, opening: Promise.resolve(failing) });
  await assert.rejects(state.close(), /the end failed/);
  assert.ok(!existsSync(lockOf(home)));
});

test('a second server on the same home ends at once and names the first', async () => {
  const home = await newHome();
  const first = await startServiceProcess(home);
  await assert.rejects(startServiceProcess(home), (error: Error) =>
    error.message.includes(`in use by process ${first.pid}`),
  );
  assert.equal(await first.terminate(), 0);
});

test('the lock of a process that has ended is taken over', async () => {
  const home = await newHome();
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  writeFileSync(lockOf(home), `${child.pid} 1 ${hostname()}\n`);
  const state = await openState({ home });
  assert.match(readFileSync(lockOf(home), 'utf8'), new RegExp(`^${process.pid} `));
  await state.close();
});

test('the lock of a killed process that its parent never reaps is taken over', {
  skip: !existsSync('/proc/1/stat'),
}, async () => {
  const home = await newHome();
  const holder = `
    const { openState } = await import(${JSON.stringify(moduleUrl('service/state/index').href)});
    await openState({ home: ${JSON.stringify(home)} });
    console.log('held');
    setInterval(() => {}, 1000);`;
  // The holder becomes a child of sleep, which waits for no child.
  const script = '"$@" & exec sleep 600';
  const held = [process.execPath, '--liftoff-only', ...loaderArgs, '--input-type=module', '-e', holder];
  const parent = spawn('sh', ['-c', script, 'sh', ...held], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(parent.stdout, 'data');
    const pid = Number(readFileSync(lockOf(home), 'utf8').split(' ')[0]);
    await assert.rejects(openState({ home }), new RegExp(`in use by process ${pid} `));
    process.kill(pid, 'SIGKILL');
    while (!/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) await delay(5);
    assert.doesNotThrow(() => process.kill(pid, 0), 'its id is still taken');
    const state = await openState({ home });
    assert.match(readFileSync(lockOf(home), 'utf8'), new RegExp(`^${process.pid} `));
    await state.close();
  } finally {
    parent.kill();
  }
});

test('the lock of a process whose id another process has today is taken over', {
  skip: !existsSync('/proc/1/stat'),
}, async () => {
  const home = await newHome();
  // Our parent lives, but was not the first process after boot.
  writeFileSync(lockOf(home), `${process.ppid} 1 ${hostname()}\n`);
  const state = await openState({ home });
  await state.close();
});

test('the lock of another machine stands, because this one cannot tell whether its process lives', async () => {
  const home = await newHome();
  writeFileSync(lockOf(home), `1 1 ${hostname()}-other\n`);
  const lock = readFileSync(lockOf(home), 'utf8');
  await assert.rejects(openState({ home }), (error: Error) => {
    const advice = `if that host or container is gone or has stopped Barline, remove ${lockOf(home)}`;
    assert.equal(error.message, `${home} is in use by process 1 of host ${hostname()}-other; ${advice}`);
    return true;
  });
  assert.equal(readFileSync(lockOf(home), 'utf8'), lock);
});

test('the rest of an interrupted creation does not hinder the next one', async () => {
  const home = join(await newHome(), 'fresh');
  mkdirSync(join(home, '.state-new', 'half'), { recursive: true });
  const state = await openState({ home });
  await state.ping();
  await state.close();
  assert.ok(!existsSync(join(home, '.state-new')));
  assert.equal(statSync(join(home, 'state')).mode & 0o777, 0o700, 'only the owner may read the store');
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

test('a statement that fails keeps its code, and the next one runs', async () => {
  const pool = await PglitePool.open(join(await newHome(), 'state'));
  const client = await pool.connect();
  await assert.rejects(client.query('select nothing'), { code: '42703', message: /nothing/ });
  assert.deepEqual((await client.query('select $1::int as a', [7])).rows, [{ a: 7 }]);
  client.release();
  await pool.end();
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
