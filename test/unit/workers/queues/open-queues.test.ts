import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { sql } from 'kysely';
import { openState, type State } from '../../../../service/state/index.js';
import {
  type JobQueues,
  openQueues,
  type QueueName,
  type QueueSettings,
  type QueueSource,
  QueueWork,
} from '../../../../workers/queues/index.js';
import { noPostgres, startPostgres } from '../../../support/postgres.js';
import { noRedis, startRedis } from '../../../support/redis.js';
import { openTestState } from '../../../support/state.js';

/** A place where queues live. */
interface Place {
  /** The queues of another process, if there can be one. */
  connect(): Promise<Pick<QueueSettings, 'openPool' | 'redisUrl'> & { disconnect(): Promise<void> }>;
  /** Jobs of a queue that have ended and are still there. */
  finished(name: QueueName): Promise<number>;
}

/** Jobs at the same time in each of two processes, and how many of them end. */
const CONCURRENCY = 8;
const JOBS_ENDED = 200;

const closing: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of closing.reverse()) await close();
});

function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | null = null;
  return () => {
    opened ??= open();
    return opened;
  };
}

const poolOf = (state: State): Pick<QueueSettings, 'openPool'> => ({
  openPool: (schema) => state.openQueuePool(schema),
});

const stays = async (): Promise<void> => {};

async function finishedIn(state: State, name: QueueName): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from bullmq.job where queue = ${name} and finished_at_ms is not null`.execute(
    state.db,
  );
  return rows[0]!.count;
}

const embedded = once(async () => {
  const state = await openTestState();
  closing.push(() => state.close());
  return state;
});

const onServer = once(async () => {
  const server = await startPostgres();
  closing.push(() => server.stop());
  const databaseUrl = await server.newDatabase();
  const connect = () => openState({ home: '/nonexistent', databaseUrl });
  const first = await connect();
  closing.push(() => first.close());
  return { connect, first };
});

const redis = once(async () => {
  const server = await startRedis();
  closing.push(() => server.stop());
  return server;
});

const noPool = (): never => assert.fail('there is a Redis');

const places: Readonly<Record<string, Place & { readonly skip: string | false }>> = {
  'the embedded store': {
    skip: false,
    // There is one process.
    connect: async () => ({ ...poolOf(await embedded()), disconnect: stays }),
    finished: async (name) => finishedIn(await embedded(), name),
  },
  PostgreSQL: {
    skip: noPostgres,
    async connect() {
      const state = await (await onServer()).connect();
      return { ...poolOf(state), disconnect: () => state.close() };
    },
    finished: async (name) => finishedIn((await onServer()).first, name),
  },
  Redis: {
    skip: noRedis,
    connect: async () => ({ redisUrl: (await redis()).url, openPool: noPool, disconnect: stays }),
    async finished(name) {
      const client = new Redis((await redis()).url);
      const counts = [await client.zcard(`bull:${name}:completed`), await client.zcard(`bull:${name}:failed`)];
      client.disconnect();
      return counts[0]! + counts[1]!;
    },
  },
};

/** Resolves after this many calls. */
function countdown(count: number): { tick(): void; readonly done: Promise<void> } {
  let finish = () => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let left = count;
  return {
    done,
    tick() {
      if (--left === 0) finish();
    },
  };
}

interface Opened {
  readonly queues: JobQueues;
  readonly errors: unknown[];
}

interface TestSource extends QueueSource {
  readonly done: Promise<void>;
  left: number;
  isStopped: boolean;
}

/** A source with this much work, and how much of it is left. */
function sourceOf(queue: QueueName, left: number, more: Partial<QueueSource> = {}): TestSource {
  const { tick, done } = countdown(left);
  const source: TestSource = {
    queue,
    concurrency: 1,
    done,
    left,
    isStopped: false,
    async next() {
      if (source.left === 0) return 'nothing';
      source.left--;
      tick();
      return 'done';
    },
    claimable: async (max) => Math.min(max, source.left),
    stop() {
      source.isStopped = true;
    },
    ...more,
  };
  return source;
}

/** Removes the waiting jobs. */
async function empty(queues: JobQueues, ...names: readonly QueueName[]): Promise<void> {
  for (const name of names) {
    queues.work(name, { concurrency: 4, process: async () => 'done' });
    while ((await queues.waiting(name)) > 0) await sleep(5);
  }
  await queues.stopWork();
}

test('while Redis is away jobs are lost, no call waits for it, and everything can be closed', {
  skip: noRedis,
}, async () => {
  const server = await startRedis();
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const settings: QueueSettings = { redisUrl: server.url, openPool: noPool, onError, answerMsMax: 100 };
  const before = await openQueues(settings);
  await before.add('sweeps');
  const begun = countdown(1);
  let finish = () => {};
  const source = sourceOf('backtests', 1, {
    async next() {
      begun.tick();
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return 'done';
    },
    stop: () => finish(),
  });
  const work = new QueueWork(before, [source], onError);
  work.start();
  await begun.done;
  await server.stop();
  for (const add of [() => before.add('sweeps'), () => before.add('joins', 3)]) {
    const count = errors.length;
    await add();
    assert.ok(errors.length > count, 'the failure is reported');
  }
  await work.reconcile();
  await work.stop();
  await before.close();

  const late = await openQueues(settings);
  await late.add('sweeps');
  assert.match(String(errors.at(-1)), /the queues did not answer within 100 ms/);
  const idle = new QueueWork(late, [sourceOf('sweeps', 1)], onError);
  idle.start();
  await idle.stop();
  await late.close();
});

test('a worker does not besiege a server that has no connection left', async () => {
  const state = await embedded();
  let isFull = false;
  let refused = 0;
  const queues = await openQueues({
    async openPool(schema) {
      const pool = await state.openQueuePool(schema);
      const query = pool.query.bind(pool);
      pool.query = <R>(statement: string, parameters?: readonly unknown[]) => {
        if (!isFull) return query<R>(statement, parameters);
        refused++;
        return Promise.reject(Object.assign(new Error('too many clients already'), { code: '53300' }));
      };
      return pool;
    },
    onError: () => {},
  });
  try {
    isFull = true;
    queues.work('joins', { concurrency: 1, process: async () => 'done' });
    while (refused === 0) await sleep(5);
    await sleep(300);
    assert.ok(refused < 10, `${refused} calls`); // it made thousands, and nothing else had a turn
  } finally {
    isFull = false;
    await queues.close();
  }
});

for (const [name, place] of Object.entries(places)) {
  const check = (
    statement: string,
    body: (open: (more?: Partial<QueueSettings>) => Promise<Opened>) => Promise<void>,
  ) =>
    test(`queues on ${name}: ${statement}`, { skip: place.skip }, async () => {
      const opened: (() => Promise<void>)[] = [];
      const open = async (more: Partial<QueueSettings> = {}): Promise<Opened> => {
        const errors: unknown[] = [];
        const { disconnect, ...settings } = await place.connect();
        const queues = await openQueues({ ...settings, onError: (error) => errors.push(error), ...more });
        opened.push(async () => {
          await queues.close();
          await disconnect();
        });
        return { queues, errors };
      };
      try {
        await body(open);
      } finally {
        for (const close of opened) await close();
      }
    });

  check('a worker takes jobs of its queue only, each once, up to its concurrency', async (open) => {
    const { queues } = await open();
    await queues.add('joins', 2);
    assert.equal(await queues.waiting('joins'), 2);
    const { tick, done } = countdown(6);
    let atHand = 0;
    let most = 0;
    let meet = () => {};
    const met = new Promise<void>((resolve) => {
      meet = resolve;
    });
    queues.work('sweeps', {
      concurrency: 2,
      async process() {
        most = Math.max(most, ++atHand);
        if (atHand === 2) meet();
        await met; // both must have begun before either ends
        atHand--;
        tick();
        return 'done';
      },
    });
    await queues.add('sweeps', 6);
    await done;
    await queues.stopWork();
    assert.equal(most, 2);
    assert.deepEqual([await queues.waiting('sweeps'), await queues.waiting('joins')], [0, 2]);
    queues.work('joins', { concurrency: 2, process: async () => 'done' });
    while ((await queues.waiting('joins')) > 0) await sleep(5);
  });

  check('failing work is reported and retried, and soon given up', async (open) => {
    const { queues, errors } = await open();
    let calls = 0;
    queues.work('sweeps', {
      concurrency: 1,
      async process() {
        throw new Error(`the state is away ${++calls}`);
      },
    });
    await queues.add('sweeps');
    while (errors.length < 3) await sleep(5);
    assert.deepEqual(
      errors.map(String),
      [1, 2, 3].map((call) => `Error: the state is away ${call}`),
    );
    assert.equal(await queues.waiting('sweeps'), 0, 'nothing keeps others from being added');
    assert.equal(await place.finished('sweeps'), 0);
  });

  check('ended jobs are removed, whichever workers end them together', async (open) => {
    const here = await open();
    const { tick, done } = countdown(JOBS_ENDED);
    let added = 2 * CONCURRENCY;
    const work = {
      concurrency: CONCURRENCY,
      async process() {
        tick();
        return added++ < JOBS_ENDED ? { againMs: 0 } : ('done' as const);
      },
    };
    const workers = [here, await open()];
    for (const { queues } of workers) queues.work('backtests', work);
    await here.queues.add('backtests', added);
    await done;
    for (const { queues } of workers) await queues.stopWork();
    assert.deepEqual(
      workers.flatMap(({ errors }) => errors),
      [],
    );
    assert.equal(await place.finished('backtests'), 0);
  });

  check('jobs are added for work without one, and no more', async (open) => {
    await empty((await open()).queues, 'joins', 'backtests');
    const { queues, errors } = await open();
    const work = new QueueWork(queues, [sourceOf('joins', 3)], (error) => errors.push(error));
    await Promise.all([work.reconcile(), work.reconcile()]);
    await work.reconcile();
    assert.equal(await queues.waiting('joins'), 3);
    const many = new QueueWork(queues, [sourceOf('backtests', 1_000)], (error) => errors.push(error));
    await many.reconcile();
    assert.equal(await queues.waiting('backtests'), 64);
    await queues.add('backtests', 16);
    await queues.add('joins', 100);
    assert.deepEqual(
      [await queues.waiting('backtests'), await queues.waiting('joins')],
      [64, 64],
      'regardless of who adds them',
    );
    await empty(queues, 'joins', 'backtests');
    assert.deepEqual(errors, []);
  });

  check('stopping lets work in progress end, and begins nothing', async (open) => {
    const { queues } = await open();
    let calls = 0;
    let finish = () => {};
    const begun = countdown(1);
    const source = sourceOf('sweeps', 1, {
      async next() {
        calls++;
        begun.tick();
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return 'done';
      },
      stop: () => finish(),
    });
    const work = new QueueWork(queues, [source], (error) => assert.fail(String(error)));
    work.start();
    await queues.add('sweeps', 3);
    await begun.done;
    await work.stop();
    assert.equal(calls, 1);
    assert.ok((await queues.waiting('sweeps')) >= 2, 'the others are left for other workers');
    await empty((await open()).queues, 'sweeps');
  });
}
