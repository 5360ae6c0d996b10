import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { writeBars } from '../../data/bars/index.js';
import { QueryEngine, QueryGivenUp } from '../../data/corpus/index.js';
import { randomBars } from '../support/random.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/**
 * What a statement with arbitrary text could do if one reached the engine. The service builds every
 * statement itself, so none does.
 */

const home = temporaryFolder('engine');
const folder = join(home, 'corpus [1]');
const outside = join(home, 'outside.parquet');
const engine = new QueryEngine({ folders: [folder], memoryMb: 128, threads: 2, timeoutMs: 60_000 });
const run = (sql: string, { on = engine, caller = 'us', signal = undefined as AbortSignal | undefined } = {}) =>
  on.turn(caller, (turn) => turn.select({ sql, parameters: [] }), signal);

before(async () => {
  mkdirSync(folder);
  await writeBars(outside, randomBars({ seed: 1, barCount: 10 }));
  await writeBars(join(folder, 'inside.parquet'), randomBars({ seed: 1, barCount: 10 }));
  writeFileSync(join(home, 'corpus [1]x.csv'), 'a\n1\n');
});
after(async () => {
  await engine.close();
});

test('it reads files in its folders', async () => {
  assert.deepEqual(await run(`SELECT count(*)::DOUBLE FROM '${folder.replace('[', '[[]')}/inside.parquet'`), [[10]]);
});

const reads = [
  "SELECT * FROM read_text('/etc/passwd')",
  "SELECT * FROM read_blob('/proc/self/environ')",
  "SELECT * FROM glob('/etc/*')",
  `SELECT * FROM read_parquet('${outside}')`,
  `SELECT * FROM read_parquet('${folder.replace('[', '[[]')}/../outside.parquet')`,
  `SELECT * FROM read_csv('${home}/corpus [[]1]x.csv')`,
  `SELECT * FROM parquet_metadata('${outside}')`,
  "SELECT * FROM read_parquet('s3://bucket/x.parquet')",
];
for (const sql of reads) {
  test(`${sql.replaceAll(home, '(home)')} reads nothing`, async () => {
    await assert.rejects(run(sql), /Permission Error|Cannot access|does not exist|not found/i);
  });
}

const others = [
  `COPY (SELECT 1) TO '${folder}/x.csv'`,
  `COPY (SELECT 1) TO '${home}/x.csv'`,
  `ATTACH '${folder}/x.db'`,
  `EXPORT DATABASE '${folder}'`,
  'CREATE TABLE t (a INTEGER)',
  'INSTALL httpfs',
  'LOAD httpfs',
  'SET enable_external_access = true',
  "SET allowed_directories = ['/']",
  'SET lock_configuration = false',
  "SET memory_limit = '64GB'",
  'CALL pragma_version()',
  `SELECT 1; COPY (SELECT 1) TO '${folder}/z.csv'`,
];
for (const sql of others) {
  test(`${sql.replaceAll(home, '(home)')} does nothing`, async () => {
    await assert.rejects(run(sql));
    assert.deepEqual(readdirSync(folder), ['inside.parquet']);
    assert.ok(!existsSync(join(home, 'x.csv')));
  });
}

test('it requests no address', async () => {
  let calls = 0;
  const server = createServer((socket) => {
    calls++;
    socket.destroy();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as { port: number };
  for (const reader of ['read_parquet', 'read_csv', 'read_text', 'read_blob']) {
    await assert.rejects(run(`SELECT * FROM ${reader}('http://127.0.0.1:${port}/x.parquet')`));
  }
  await new Promise((closed) => server.close(closed));
  assert.equal(calls, 0);
});

/** It takes longer than any caller waits. */
const endless = 'SELECT sum(a.range * b.range)::DOUBLE FROM range(100000) a, range(100000) b, range(1000) c';

test('a statement that takes too long is ended, and the next one runs', async () => {
  const hasty = new QueryEngine({ folders: [folder], memoryMb: 128, threads: 1, timeoutMs: 1_000 });
  await assert.rejects(
    run(endless, { on: hasty }),
    (error) => error instanceof QueryGivenUp && /within 1000 ms/.test(error.message),
  );
  assert.deepEqual(await run('SELECT 1::DOUBLE', { on: hasty }), [[1]]);
  await hasty.close();
});

test('a caller that leaves ends its statement, running or waiting', async () => {
  const controllers = Array.from({ length: 5 }, () => new AbortController());
  const under = controllers.map(({ signal }) => run(endless, { signal }));
  const ended = under.map((each) => assert.rejects(each, /gone/));
  for (const controller of controllers.toReversed()) controller.abort(new Error('gone'));
  await Promise.all(ended);
  assert.deepEqual(await run('SELECT 2::DOUBLE'), [[2]]);
});

const isGivenUp =
  (why: RegExp) =>
  (error: unknown): boolean =>
    error instanceof QueryGivenUp && why.test(error.message);

test('few may wait, of one caller and in all; the others are refused at once', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const under: Promise<unknown>[] = [];
  const wait = (caller: string) => under.push(run(endless, { caller, signal }).catch(() => 'ended'));
  for (let i = 0; i < 34; i++) wait('caller 0'); // two of them run
  await assert.rejects(
    run('SELECT 1::DOUBLE', { caller: 'caller 0' }),
    isGivenUp(/^the organization already has 32 queries waiting/),
  );
  for (let caller = 1; caller < 8; caller++) for (let i = 0; i < 32; i++) wait(`caller ${caller}`);
  await assert.rejects(run('SELECT 1::DOUBLE', { caller: 'caller 8' }), isGivenUp(/^too many queries are waiting/));
  controller.abort();
  await Promise.all(under);
  assert.deepEqual(await run('SELECT 3::DOUBLE'), [[3]]);
});

test('callers take turns, regardless of how many each has waiting', async () => {
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const running = [0, 1].map(() => engine.turn('a', () => new Promise<void>((end) => ends.push(end))));
  while (ends.length < 2) await setImmediate();
  const waiting = ['a', 'a', 'a', 'b', 'b', 'c'].map((caller) => engine.turn(caller, async () => order.push(caller)));
  ends[0]!(); // one slot, so that one ends before the next begins
  await Promise.all(waiting);
  ends[1]!();
  await Promise.all(running);
  assert.deepEqual(order, ['a', 'b', 'c', 'a', 'b', 'a']);
});

test('a statement that needs too much memory is ended', async () => {
  const sql = 'SELECT list(range)::VARCHAR FROM range(1000000000)';
  await assert.rejects(run(sql), (error) => error instanceof QueryGivenUp && /128 MB/.test(error.message));
  assert.deepEqual(await run('SELECT 4::DOUBLE'), [[4]]);
});
