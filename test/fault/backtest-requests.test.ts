import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { asApiError } from '../../service/api-error.js';
import {
  listBacktests,
  runBulkBacktest,
  runSynchronousBacktest,
  submitBacktest,
} from '../../service/backtests/index.js';
import { backtestDeps } from '../support/backtest-deps.js';
import { callerOf, dipStrategy, runBody } from '../support/backtests.js';
import { runs } from '../support/scale.js';

const caller = callerOf('ann');
const deep = (levels: number): unknown => JSON.parse(`${'{"a":['.repeat(levels)}1${']}'.repeat(levels)}`);

/** Values that no caller should send, and some caller will. */
const oddity = fc.oneof(
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  fc.constantFrom<unknown>(
    null,
    undefined,
    '',
    ' ',
    0,
    -0,
    -1,
    1.5,
    1e308,
    -1e308,
    Number.MAX_SAFE_INTEGER,
    5e-324,
    Number.NaN,
    Infinity,
    true,
    [],
    {},
    [null],
    JSON.parse('{"__proto__": {"entry": []}, "constructor": {"prototype": 1}}'),
    deep(1_000),
    'x'.repeat(10_000),
    '\ud800',
    '9999-12-31',
    '0000-01-01',
    '2023-01-01T00:00:00+99:99',
    '1m',
    '1D',
    '__proto__',
    'constructor',
  ),
);

const settings = Object.keys(runBody);
const nested = [
  'atr_period',
  'atr_volatility_factor',
  'reward_factor',
  'cooldown_config',
  'max_hold_bars',
  '__proto__',
];

/** A good request with up to four fields spoilt, at the top, in its settings or in its strategy. */
const spoilt = fc
  .tuple(
    fc.dictionary(
      fc.constantFrom(
        ...settings,
        'strategy_id',
        'lookback_months',
        'execution_config',
        'cooldown_config',
        'mode',
        'session_id',
      ),
      oddity,
      { maxKeys: 2 },
    ),
    fc.dictionary(fc.constantFrom(...settings, ...nested), oddity, { maxKeys: 1 }),
    fc.dictionary(
      fc.constantFrom('name', 'asset', 'entry', 'exit', 'rules', 'reward_factor', 'execution_config', 'atr_period'),
      oddity,
      { maxKeys: 1 },
    ),
    fc.dictionary(fc.constantFrom('name', 'signal_type', 'timeframe', 'params'), oddity, { maxKeys: 1 }),
  )
  .map(([top, config, strategy, rule]) => {
    const definition = { ...dipStrategy, entry: [{ ...dipStrategy.entry[0], ...rule }], ...strategy };
    const body = { ...runBody, strategy_json: JSON.stringify(definition), execution_config: config, ...top };
    return { body, definition };
  });

const deps = await backtestDeps();

/** Asserts an answer or a readable refusal, never a bug of ours. */
async function answered(call: () => Promise<unknown>): Promise<void> {
  try {
    JSON.stringify(await call());
  } catch (error) {
    const known = asApiError(error);
    assert.ok(known !== null && known.code !== 'INTERNAL_ERROR', String((error as Error).stack));
    assert.ok(known.message.length > 0 && known.message.length < 2_000, `${known.message.length} characters`);
  }
}

test('no request breaks a run, a batch or a submission', async () => {
  await fc.assert(
    fc.asyncProperty(spoilt, async ({ body, definition }) => {
      await answered(() => runSynchronousBacktest(caller, body, deps, { filling: 'required' }));
      await answered(() => submitBacktest(caller, body, deps));
      const { strategy_json: _, ...shared } = body;
      await answered(() =>
        runBulkBacktest(caller, { ...shared, strategy_configs: [definition] }, deps, { filling: 'filled' }),
      );
      assert.deepEqual(deps.internalErrors, []);
    }),
    { numRuns: runs(50, 10_000) },
  );
});

test('no list and no question breaks a batch or the history', async () => {
  const question = fc.dictionary(
    fc.constantFrom('status', 'asset', 'date_from', 'date_to', 'limit', 'offset', 'session_id', 'include_archived'),
    oddity,
    { maxKeys: 2 },
  );
  const lists = fc.record({ strategy_configs: fc.oneof(oddity, fc.array(oddity, { maxLength: 3 })) });
  await fc.assert(
    fc.asyncProperty(question, lists, async (request, list) => {
      await answered(() => listBacktests(caller, request, deps));
      await answered(() =>
        runBulkBacktest(caller, { ...runBody, strategy_json: null, ...list }, deps, { filling: 'filled' }),
      );
      assert.deepEqual(deps.internalErrors, []);
    }),
    { numRuns: runs(33, 5_000) },
  );
});
