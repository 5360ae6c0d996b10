import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { type ChatRequest, ModelServer } from '../../../../data/upstreams/model/index.js';
import { Quotas } from '../../../../service/access/index.js';
import { SqlUsageStore } from '../../../../service/access/usage-counts.js';
import { Budget, countTokens } from '../../../../service/assistant/model/model-reader.js';
import { toolsFor } from '../../../../service/assistant/tools.js';
import { VectorIndex } from '../../../../service/assistant/vector-index.js';
import type { Working } from '../../../../service/assistant/working.js';
import { defaultTiers, Tiers } from '../../../../service/identity/index.js';
import type { State } from '../../../../service/state/index.js';
import { endlessTokens, portfoliosOver } from '../../../support/assistant.js';
import { onEachStore } from '../../../support/backends.js';
import { backtestDeps } from '../../../support/backtest-deps.js';
import { bundledMarket, bundledStore, callerOf } from '../../../support/backtests.js';
import { changed } from '../../../support/changed.js';
import { startModelServer } from '../../../support/model-server.js';
import { seededRandom } from '../../../support/random.js';
import { sharedState } from '../../../support/shared-state.js';

const request: ChatRequest = {
  messages: [
    { role: 'system', content: '{}' },
    { role: 'user', content: 'What is a drawdown?' },
  ],
  schema: {},
  tokensMax: 500,
};
const prompt = JSON.stringify([request.messages, request.schema]);
const said = 'The fall of an account from its highest value.';
const estimate = [countTokens(prompt), countTokens(said)];
const bytes = Buffer.byteLength(prompt);

/** What a server may claim of the tokens of a request and a reply, and what is counted. */
const claims: readonly [what: string, claimed: readonly [number, number], counted: readonly number[]][] = [
  ['as they may be', [40, 12], [40, 12]],
  ['the most there can be', [bytes, 500], [bytes, 500]],
  ['more of the reply than were allowed', [40, 501], estimate],
  ['beyond whole numbers', [1e300, 12], estimate],
  ['negative', [-1_000_000, 12], estimate],
  ['fractional', [40.5, 12], estimate],
];

test('a server that claims tokens that cannot be is not believed, and its answer is taken', async (t) => {
  for (const [what, [prompt_tokens, completion_tokens], counted] of claims) {
    const server = await startModelServer(t, () => ({ say: said, usage: { prompt_tokens, completion_tokens } }));
    const model = new ModelServer({ baseUrl: server.url, model: 'm', key: undefined, deadlineMs: 5_000 });
    let month = 0;
    const budget = new Budget({} as Working, 10_000, {
      takeTokens: async (tokens) => {
        month += tokens;
        return true;
      },
      settleTokens: async (tokens) => {
        month += tokens;
      },
    });
    const reply = await budget.ask(model, request, 10, new AbortController().signal);
    assert.equal(reply.content, said, what);
    const { prompt_tokens: asked, answer_tokens: answered } = budget.use;
    assert.deepEqual([asked, answered], counted, what);
    assert.equal(month, asked + answered, what);
  }
});

const rule = (name: string, signal_type: 'TRIGGER' | 'FILTER', params: object) => ({
  ...{ name, signal_type, timeframe: '1d', params: { ...params } },
});
const config = {
  ...{ name: 'BTC', asset: 'BTC', exit: [], reward_factor: 2, execution_config: {} },
  entry: [
    rule('ema_cross_up', 'TRIGGER', { window_fast: 12, window_slow: 50 }),
    rule('is_above_sma', 'FILTER', { window: 50 }),
  ],
};

test('a run that was counted and not stored before a crash counts once when its turn goes on', async () => {
  const quotas = new Quotas({
    store: new SqlUsageStore((await sharedState()).db),
    tiers: new Tiers(defaultTiers),
    clock: () => 0,
  });
  let isDying = true;
  const deps = await backtestDeps({
    admit: (caller, runs, key) =>
      quotas.consume(caller, 'backtests', runs, key === undefined ? key : { userId: caller.userId, key }),
  });
  const dying = {
    ...deps,
    store: changed(deps.store, {
      addEnded: async (...args) => {
        if (isDying) throw new Error('the process is killed');
        return deps.store.addEnded(...args);
      },
    }),
  };
  const caller = callerOf(randomUUID());
  const portfolios = await portfoliosOver(dying);
  const parts = { bars: bundledStore, market: bundledMarket, backtests: dying, portfolios, tokens: endlessTokens };
  const run = (turn: string) =>
    toolsFor(caller, parts, turn, new AbortController().signal).runBacktest(config, '1d', { lookback_months: 6 });
  const used = async () => (await quotas.month(caller.orgId)).used.backtests;
  await assert.rejects(run('turn 1'), /killed/);
  assert.equal(await used(), 1);
  isDying = false;
  const { figures } = await run('turn 1');
  assert.equal(await used(), 1);
  assert.equal((await run('turn 1')).figures.backtest_id, figures.backtest_id);
  assert.equal(await used(), 1);
  await run('turn 2');
  assert.equal(await used(), 2);
});

const random = seededRandom(7);
const randomVector = (length: number): Float32Array => Float32Array.from({ length }, () => random() - 0.5);
const seedingOf = (count: number, length: number) => Array.from({ length: count }, () => randomVector(length));

const indexIn = ({ db }: State) => ({ index: new VectorIndex(db), db });

/** Whoever ranks. They share a store: each test works with its own seedings. */
onEachStore('vectors', indexIn, (check, checkBoth) => {
  check('the nearest in direction come first, equal ones by place', async ({ index }) => {
    const seeding = randomUUID();
    const vectors = [
      [0, 3],
      [1, 1],
      [2, 2],
      [-1, 0],
      [5, 0.01],
    ].map((values) => Float32Array.from(values));
    await index.seed(seeding, vectors, false);
    assert.deepEqual(await index.nearest(seeding, Float32Array.from([1, 0]), 9), [4, 1, 2, 0, 3]);
    assert.deepEqual(await index.nearest(seeding, Float32Array.from([0, 0.1]), 1), [0]);
    assert.deepEqual(await index.nearest(randomUUID(), Float32Array.from([1, 0]), 9), []);
    await assert.rejects(index.nearest(seeding, Float32Array.from([1, NaN]), 1), /no number/);
  });

  checkBoth('the database and the process rank alike, to the last place', async ({ index, db }) => {
    const here = new VectorIndex(db, false);
    for (const [count, length] of [
      [100, 512],
      [300, 3],
      [20, 3_072],
    ] as const) {
      const seeding = randomUUID();
      await index.seed(seeding, seedingOf(count, length), false);
      for (let i = 0; i < 5; i++) {
        const asked = randomVector(length);
        const places = await index.nearest(seeding, asked, count);
        assert.equal(new Set(places).size, count);
        assert.deepEqual(await here.nearest(seeding, asked, count), places);
      }
    }
  });

  check('a known seeding stays, one older one is kept, and a refresh clears all', async ({ index, db }) => {
    const ids = Array.from({ length: 4 }, () => randomUUID());
    const sizes = async () => {
      const fresh = new VectorIndex(db); // remembers nothing
      return Promise.all(ids.map(async (id) => (await fresh.nearest(id, randomVector(4), 99)).length));
    };
    for (const [i, id] of ids.entries()) await index.seed(id, seedingOf(5 + i, 4), false);
    assert.deepEqual(await sizes(), [0, 0, 7, 8]);
    await index.seed(ids[3] ?? '', seedingOf(2, 4), false);
    assert.deepEqual(await sizes(), [0, 0, 7, 8]);
    await index.seed(ids[3] ?? '', seedingOf(2, 4), true);
    assert.deepEqual(await sizes(), [0, 0, 0, 2]);
  });
});
