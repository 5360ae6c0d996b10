import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { dipStrategy, runBody } from '../support/backtests.js';
import { noPostgres, startPostgres } from '../support/postgres.js';
import { noRedis, startRedis } from '../support/redis.js';
import { runs, soak } from '../support/scale.js';
import { succeed } from '../support/service-calls.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { newHome } from '../support/state.js';

/*
 * Writes with keys, a kill in the middle of them, and the same writes again: each takes effect
 * once, whether it was answered before the kill or not.
 */

const KILLS = runs(1, 25, 4);
const WRITES = 40;
/** The longest that a write may be sent again after a kill. */
const RETRY_MS_MAX = 60_000;

const { start_date, end_date, interval } = runBody;

const definition = {
  asset: 'BTC-USD',
  entry: [
    { name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: {} },
    { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '1h', params: { window: 50 } },
  ],
};

/** A kind of write. */
interface Kind {
  /** `STRATEGY` stands for the id of one that there is before. */
  readonly path: string;
  /** The body of the write of a name, which is unique. */
  body(name: string): object;
  /** What it counts for, besides the write itself: runs of the quota, units of a meter. */
  readonly backtests?: number;
  readonly units?: number;
  /** What the answer says was made. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of many forms
  made(answer: any): readonly string[];
  /** The ids of all that there is. */
  list(ask: Ask): Promise<readonly string[]>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of many forms
type Ask = (path: string) => Promise<any>;

const idOf = ({ id }: { readonly id: string }): string => id;

const history = async (ask: Ask): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (;;) {
    const { backtests, total } = await ask(`/v1/users/me/backtests?limit=100&offset=${ids.length}`);
    ids.push(...backtests.map(idOf));
    if (backtests.length === 0 || ids.length >= total) return ids;
  }
};

const strategies: Kind = {
  path: '/v1/strategies',
  body: (name) => ({ ...definition, name }),
  made: ({ strategy }) => [strategy.id],
  list: async (ask) => (await ask('/v1/strategies?limit=1000')).strategies.map(idOf),
};

const kinds: readonly Kind[] = [
  strategies,

  {
    path: '/v1/oracle/experiments',
    units: 1,
    body: (name) => ({ name }),
    made: ({ experiment_id }) => [experiment_id],
    list: async (ask) =>
      (await ask('/v1/oracle/experiments?limit=1000')).map(
        ({ experiment_id }: { experiment_id: string }) => experiment_id,
      ),
  },

  {
    path: '/v1/oracle/simulate/generate',
    units: 1,
    body: (name) => ({ prompt: `buy the dip, ${name}` }),
    made: () => ['remembered'], // the answer has no id
    list: async (ask) => Array((await ask('/v1/oracle/simulate/history')).total).fill('remembered'),
  },
  {
    path: '/v1/execution/evaluate/STRATEGY',
    body: () => ({}),
    made: () => ['evaluated'],
    list: async (ask) => Array((await ask('/v1/strategies/STRATEGY')).strategy.evaluation_count).fill('evaluated'),
  },
  { path: '/v2/backtests', backtests: 1, body: () => runBody, made: ({ backtest_id }) => [backtest_id], list: history },
  { path: '/v1/backtests', backtests: 1, body: () => runBody, made: ({ backtest_id }) => [backtest_id], list: history },
  {
    path: '/v1/oracle/backtest/bulk',
    units: 1,
    body: () => ({ start_date, end_date, interval, strategy_configs: [dipStrategy, dipStrategy] }),
    made: ({ results }) => results.flatMap(({ backtest_id }: { backtest_id: string | null }) => backtest_id ?? []), // null: out of time
    list: history,
  },
];

const kindOf = (write: number): Kind => kinds[write % kinds.length]!;

interface Write {
  readonly kind: Kind;
  readonly path: string;
  readonly key: string;
  readonly body: object;
}

interface Answer {
  readonly status: number;
  readonly isReplay: boolean;
  readonly body: unknown;
}

async function send({ origin }: ServiceProcess, credential: string, { path, key, body }: Write): Promise<Answer> {
  const response = await fetch(`${origin}/api${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${credential}`, 'Idempotency-Key': key },
    body: JSON.stringify(body),
  });
  const isReplay = response.headers.get('idempotent-replayed') === 'true';
  return { status: response.status, isReplay, body: await response.json() };
}

/** Sends a write again until it is answered, as the clients of the package do. */
async function retry(service: ServiceProcess, credential: string, write: Write): Promise<Answer> {
  const deadline = performance.now() + RETRY_MS_MAX;
  for (;;) {
    const answer = await send(service, credential, write);
    if (![409, 429, 503].includes(answer.status) || performance.now() > deadline) return answer;
    await sleep(100);
  }
}

/** What all writes of all kills count for. */
const sum = (of: (kind: Kind) => number): number =>
  KILLS * Array.from({ length: WRITES }, (_, i) => of(kindOf(i))).reduce((total, count) => total + count, 0);

/** Sends all writes at once and kills the process when some of them are answered. */
async function sendUntilKilled(service: ServiceProcess, credential: string, writes: readonly Write[], kill: number) {
  const answers = new Map<Write, Answer>();
  const enough = ((kill + 1) * 17) % WRITES;
  let killed: Promise<void> | null = null;
  const end = (): void => {
    killed ??= sleep(Math.random() * 30).then(() => service.kill());
  };
  if (enough === 0) setTimeout(end, Math.random() * 200);
  await Promise.all(
    writes.map(async (write) => {
      const answer = await send(service, credential, write).catch(() => null);
      if (answer === null) return; // the process is gone, and the answer with it
      assert.ok(answer.status < 300 || answer.status === 503, `${write.path}: ${JSON.stringify(answer)}`);
      if (answer.status === 503) return; // the synchronous slot has its own queue
      answers.set(write, answer);
      if (answers.size >= enough) end();
    }),
  );
  await killed;
  return answers;
}

async function proveOnce(told: TestContext, settings: Readonly<Record<string, string>>): Promise<void> {
  const home = await newHome();
  const limits = { BARLINE_RATE_LIMIT_PER_MINUTE: '100000', BARLINE_BACKTEST_WAIT_MS: '9000' };
  const start = () => startServiceProcess(home, { ...limits, ...settings });
  let service = await start();
  const made = new Map<Kind['list'], string[]>();
  let [again, unanswered] = [0, 0];
  try {
    const credential = service.firstKey;
    assert.ok(credential !== null, 'the first start makes a key');
    const ask: Ask = (path) => succeed(service, credential, 'GET', path.replace('STRATEGY', strategy));
    const { strategy: evaluated } = await succeed(service, credential, 'POST', '/v1/strategies', {
      ...definition,
      name: 'evaluated',
    });
    const strategy: string = evaluated.id;
    made.set(strategies.list, [strategy]);
    for (let kill = 0; kill < KILLS; kill++) {
      const writes = Array.from({ length: WRITES }, (_, i): Write => {
        const kind = kindOf(i);
        const key = `kill ${kill} write ${i}`.replaceAll(' ', '-');
        return { kind, key, path: kind.path.replace('STRATEGY', strategy), body: kind.body(key) };
      });
      const answers = await sendUntilKilled(service, credential, writes, kill);
      service = await start();
      await Promise.all(
        writes.map(async (write) => {
          const { path } = write;
          const { made: madeBy, list } = write.kind;
          const answer = await retry(service, credential, write);
          assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
          const before = answers.get(write);
          if (before === undefined) unanswered++;
          else assert.deepEqual([answer.isReplay, answer.body], [true, before.body], path);
          if (before === undefined && answer.isReplay) again++;
          made.set(list, [...(made.get(list) ?? []), ...madeBy(answer.body)]);
        }),
      );
      for (const [list, ids] of made) {
        assert.deepEqual([...(await list(ask))].sort(), [...ids].sort(), `after kill ${kill}`);
      }
    }
    assert.ok(unanswered > 0, 'no write was cut off');
    told.diagnostic(`${unanswered} of ${KILLS * WRITES} had no answer; ${again} of these had taken effect`);
    const { counters } = await ask('/v1/usage');
    const counted = [counters.backtests.used, counters.api_calls.used];
    assert.deepEqual(counted, [sum(({ backtests = 0 }) => backtests), sum(({ units = 0 }) => units)]);
  } finally {
    await service.kill();
    await rm(home, { recursive: true, force: true });
  }
}

const title = 'a write that is sent again with its key after a kill takes effect once';

test(`${title}, on the embedded store`, (told) => proveOnce(told, {}));

test(`${title}, on PostgreSQL and Redis`, {
  skip: soak ? noPostgres || noRedis : 'in the soak; the statements are those of the embedded store',
}, async (told) => {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  try {
    await proveOnce(told, { DATABASE_URL: await postgres.newDatabase(), REDIS_URL: redis.url });
  } finally {
    await Promise.all([postgres.stop(), redis.stop()]);
  }
});
