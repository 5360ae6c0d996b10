import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBars } from '../../../../data/bars/index.js';
import { simulateRequests } from '../../../../research/index.js';
import { backtestResult } from '../../../support/backtest.js';
import { csvOf, fileOf, tempFolder } from '../../../support/data-fixtures.js';
import { randomBars } from '../../../support/random.js';

const rule = { name: 'rsi_oversold', signal_type: 'TRIGGER', timeframe: '1h', params: { window: 2, threshold: 50 } };
const strategy = { name: 'often', asset: 'BTC', entry: [rule] };
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function fixture(t: Parameters<typeof tempFolder>[0]) {
  const folder = tempFolder(t);
  const store = openBars({ home: folder });
  const barsFile = await fileOf(folder, 'bars.csv', csvOf(randomBars({ seed: 12, barCount: 600 })));
  return (json: unknown, config: unknown = { atr_long_weight: 0 }) =>
    backtestResult({ strategy: json, config, barsFile, window: {} }, store);
}

test('the same run gives its trades the same ids, in any order of its fields', async (t) => {
  const run = await fixture(t);
  const first = await run(strategy);
  const { params, timeframe, name, signal_type } = rule;
  const turned = { entry: [{ params, timeframe, name, signal_type }], asset: 'BTC', name: 'often' };
  assert.ok(first.trade_count > 5);
  assert.deepEqual(await run(turned), first);
  const ids = first.trades.flatMap(({ trade_id, position_id }) => [trade_id, position_id]);
  for (const id of ids) assert.match(id, uuid);
  assert.equal(new Set(ids).size, ids.length);
});

const bars = Array.from({ length: 8 }, (_, i) => [1_704_067_200 + 3_600 * i, 50, 51, 49, 50, 1]);
const request = { id: 'a', interval: '1h', bars, masks: { entry: [1], exit: [3] } };

test('bar numbers of an answer count from the first bar of the request', () => {
  const config = { stop_loss_calculation: 'fixed', fixed_stop_pct: 0.1 };
  const answers = simulateRequests([
    { ...request, config },
    { ...request, id: 'late', first: 1, config },
    { ...request, id: 'later', first: 2, config },
  ]);
  assert.deepEqual([...answers.keys()], ['a', 'late', 'later']);
  const spans = [...answers.values()].map(({ trades, equity }) => [
    trades.map((trade) => [trade.entry_bar_index, trade.exit_bar_index, trade.exit_reason]),
    equity.length,
  ]);
  assert.deepEqual(spans, [
    [[[2, 4, 'SIGNAL']], 8],
    [[[2, 4, 'SIGNAL']], 7],
    [[], 6], // the entry was signalled in history
  ]);
});

test('a refused request names itself, the field and the value, and no request runs', () => {
  const refusals: [changes: object, code: string, message: RegExp][] = [
    [{ id: undefined }, 'MISSING_FIELD', /^requests\[1\]: id is required$/],
    [{ id: 'a' }, 'INVALID_FIELD', /^requests\[1\]: id must be unique, "a" was given twice$/],
    [{ bars: [bars[0], bars[2], bars[1]] }, 'INVALID_DATA', /bars\[2\]: timestamp .+ is not after the one before/],
    [
      { bars: [[1, 50, 51, 49, 50]] },
      'INVALID_FIELD',
      /bars\[0\] must be \[epoch seconds, open, high, low, close, volume\]/,
    ],
    [{ bars: [[0, 50, 51, 49, '50', 1]] }, 'INVALID_FIELD', /bars\[0\]\[4\] must be a number, was "50"$/],
    [{ first: 9 }, 'INVALID_FIELD', /first must be a whole number 0\.\.8, was 9$/],
    [{ masks: { exit: [] } }, 'MISSING_FIELD', /masks\.entry is required$/],
    [{ masks: undefined }, 'MISSING_FIELD', /exactly one of masks and strategy is required, was neither$/],
    [{ strategy }, 'MISSING_FIELD', /exactly one of masks and strategy is required, was both$/],
  ];
  for (const [changes, code, message] of refusals) {
    let done = 0;
    const requests = [request, { ...request, id: 'b', ...changes }];
    assert.throws(() => simulateRequests(requests, () => done++), { name: 'EngineError', code, message });
    assert.equal(done, 0);
  }
});

test('bars closer than the interval, or in milliseconds, are refused before any request runs', () => {
  const bar = (time: number) => [time, 50, 51, 49, 50, 1];
  const request = (bars: number[][]) => [{ id: 'a', interval: '1h', bars, masks: { entry: [] } }];
  assert.throws(
    () => simulateRequests(request([bar(1_704_067_200), bar(1_704_067_500)])),
    /bars\[1\] must open at least 3600 s after the bar before it, was 300 s$/,
  );
  assert.throws(
    () => simulateRequests(request([bar(1_704_067_200_000)])),
    /bars\[0\]\[0\] must be epoch seconds of the years 1900\.\.9999, was 1704067200000$/,
  );
});
