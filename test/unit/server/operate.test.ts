import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar';
import { openBars } from '../../../data/bars/index.js';
import { dumpState } from '../../../data/state/index.js';
import { backUp, restore, withOperator } from '../../../server/operate.js';
import { doorPath } from '../../../server/operator-door.js';
import { readServiceConfig, type ServiceConfig } from '../../../service/settings/config.js';
import { openState } from '../../../service/state/index.js';
import { noPostgres, type PostgresServer, startPostgres } from '../../support/postgres.js';
import { startTestService, type TestService } from '../../support/service.js';
import { newHome } from '../../support/state.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** Without limits. */
const tiers = JSON.stringify([
  { id: 'open', name: 'Open', strategiesMax: null, monthlyMax: { backtests: null, api_calls: null } },
]);

let home: string;
let config: ServiceConfig;
let service: TestService;

before(async () => {
  home = await newHome();
  config = readServiceConfig({ BARLINE_HOME: home });
  service = await startTestService({ BARLINE_HOME: home, BARLINE_TIERS: tiers });
});
after(() => service.stop());

const daily = (name: string, signal_type: string, params: object) => ({ name, signal_type, timeframe: '1D', params });
const entry = [
  daily('rsi_oversold', 'TRIGGER', { window: 7, threshold: 45 }),
  daily('is_above_sma', 'FILTER', { window: 5 }),
];

const configOf = (folder: string, more: Readonly<Record<string, string>> = {}) =>
  readServiceConfig({ BARLINE_HOME: folder, ...more });

const status = async (key: string): Promise<number> => {
  const response = await fetch(`${service.origin}/api/v1/strategies`, { headers: { Authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return response.status;
};

async function dump(settings: ServiceConfig): Promise<string[]> {
  const lines: string[] = [];
  const state = await openState({ home: settings.BARLINE_HOME, databaseUrl: settings.DATABASE_URL });
  try {
    for await (const line of dumpState(state.db)) lines.push(line);
  } finally {
    await state.close();
  }
  return lines;
}

/** The lines of the state in an archive. */
async function stateIn(file: string): Promise<string[]> {
  const cwd = temporaryFolder('unpacked');
  await extract({ file, cwd });
  return gunzipSync(readFileSync(join(cwd, 'state.jsonl.gz')))
    .toString()
    .trimEnd()
    .split('\n');
}

test('keys are made and revoked while the service has the embedded store open', async () => {
  assert.equal(statSync(doorPath(home)).mode & 0o777, 0o600, 'only this user may open the door');
  const key = await withOperator(config, (operator) => operator.createKey('me@example.com', 'laptop'));
  assert.equal(await status(key), 200);
  const [made] = await withOperator(config, (operator) => operator.listKeys());
  assert.deepEqual([made?.email, made?.name, made?.revoked_at], ['me@example.com', 'laptop', null]);
  assert.ok(key.startsWith(made?.key_prefix ?? '?'));
  assert.equal(await status(key), 200, 'the service has the key in its cache now');
  const revoked = await withOperator(config, (operator) => operator.revokeKey(made?.key_prefix ?? ''));
  assert.equal(revoked.key_id, made?.key_id);
  assert.notEqual(revoked.revoked_at, null);
  assert.equal(await status(key), 401, 'at once, although it was in the cache');
  await assert.rejects(
    withOperator(config, (operator) => operator.revokeKey('nothing')),
    { code: 'NOT_FOUND', message: 'there is no key nothing' },
  );
});

test('a backup taken while callers write is of one moment, and its restore equals it in every row and file', async (t) => {
  const bars = openBars({ home });
  const csv = join(home, '..', 'few.csv');
  writeFileSync(csv, csvOf(300));
  await bars.import(csv, { asset: 'DOGE', intervalMs: 3_600_000 });
  mkdirSync(join(home, 'runs'), { recursive: true });
  writeFileSync(join(home, 'runs', 'run-1.json'), '{"a":1}');
  writeFileSync(join(home, 'runs', '.aside-1-x-y'), 'half');
  const { token } = await service.login();
  const authorization = `Bearer ${token}`;
  const firstIds: string[] = [];
  let isWriting = true;
  const add = async (name: string): Promise<string> => {
    const strategy = { name, asset: 'BTC', entry };
    const { body } = await service.client.call('Strategies.Create', strategy, { authorization });
    return (body.strategy as { id: string }).id;
  };
  firstIds.push(await add('the first \u2028 with "signs" \\'));
  const writing = (async () => {
    for (let i = 0; isWriting; i++) await add(`written ${i}`);
  })();
  const file = join(temporaryFolder('backup'), 'barline.tar');
  const manifest = await backUp(config, file, '9.9.9');
  isWriting = false;
  await writing;
  assert.deepEqual(
    readdirSync(home).filter((name) => name.startsWith('.backup')),
    [],
  );

  const restored = join(temporaryFolder('restored'), 'home');
  const { formerContent } = await restore(configOf(restored), file, false);
  assert.equal(formerContent, null);
  const kept = await stateIn(file);
  const lines = await dump(configOf(restored));
  assert.deepEqual(lines, kept);
  assert.ok(lines.some((line) => line.startsWith('strategies\t') && line.includes(firstIds[0] ?? '?')));
  assert.ok(lines.some((line) => line.startsWith('api_keys\t')));
  const names = manifest.files.map(({ path }) => path);
  assert.ok(names.includes('home/runs/run-1.json') && names.some((name) => /^home\/bars\/.*parquet$/.test(name)));
  assert.ok(!names.some((name) => /aside|lock|sock|state\//.test(name)));
  for (const name of names.filter((each) => each.startsWith('home/'))) {
    const path = name.slice('home/'.length);
    assert.deepEqual(readFileSync(join(restored, path)), readFileSync(join(home, path)), path);
  }
  const checked = await openBars({ home: restored }).check();
  assert.deepEqual(
    checked.map(({ problems }) => problems),
    [[]],
  );

  await t.test('a home with files is refused, and moved aside with --force', async () => {
    await assert.rejects(restore(configOf(restored), file, false), { code: 'CONFLICT', message: /is not empty/ });
    writeFileSync(join(restored, 'runs', 'later.json'), '{}');
    const again = await restore(configOf(restored), file, true);
    assert.ok(!existsSync(join(restored, 'runs', 'later.json')));
    assert.ok(existsSync(join(again.formerContent ?? '', 'runs', 'later.json')));
    assert.deepEqual(await dump(configOf(restored)), kept);
  });

  await t.test('the home of a running service is refused', async () => {
    await assert.rejects(restore(config, file, true), { code: 'CONFLICT', message: /in use by process/ });
  });

  await t.test(
    'the state goes into a PostgreSQL server, and from there into a backup again',
    { skip: noPostgres },
    async () => {
      const server: PostgresServer = await startPostgres();
      try {
        const onServer = configOf(join(temporaryFolder('on-server'), 'home'), {
          DATABASE_URL: await server.newDatabase(),
        });
        await restore(onServer, file, false);
        assert.deepEqual(await dump(onServer), kept);
        const second = `${file}.second`;
        await backUp(onServer, second, '9.9.9');
        assert.deepEqual(await stateIn(second), kept);
        const other = { ...onServer, BARLINE_HOME: join(temporaryFolder('other'), 'home') };
        await assert.rejects(restore(other, file, false), { code: 'CONFLICT', message: /has users/ });
        await restore(other, file, true);
        assert.deepEqual(await dump(other), kept);
      } finally {
        await server.stop();
      }
    },
  );
});

function csvOf(bars: number): string {
  const rows = Array.from({ length: bars }, (_, i) => {
    const close = 100 + Math.sin(i);
    return [new Date(Date.UTC(2024, 0, 1, i)).toISOString(), close, close + 1, close - 1, close, 10].join(',');
  });
  return ['time,open,high,low,close,volume', ...rows, ''].join('\n');
}
