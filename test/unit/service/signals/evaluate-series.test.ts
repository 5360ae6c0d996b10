import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../../../../engine/errors.js';
import { Frame, resolveParams } from '../../../../engine/indicators/index.js';
import { getBit } from '../../../../engine/series/bits.js';
import { type BarSeries, HOUR_MS, isoTime } from '../../../../engine/series/index.js';
import { requireSignal, signalMask } from '../../../../engine/signals/index.js';
import { aggregateBars } from '../../../../engine/timeframes/index.js';
import { type LoadBars, within } from '../../../../research/window-bars.js';
import { evaluateMultipleSeries, SERIES_BARS_MAX, SERIES_SIGNALS_MAX } from '../../../../service/signals/index.js';
import { randomBars } from '../../../support/random.js';
import { rejectsWith } from '../../../support/refusals.js';

const hourly = randomBars({ seed: 5, barCount: 2_400 }); // 100 days from 2024-01-01

interface ChartBar {
  readonly timestamp: string;
}

/** The answer as a caller reads it. */
async function asks(...[request, loadBars]: Parameters<typeof evaluateMultipleSeries>) {
  const { chart_data, signal_results, ...rest } = await evaluateMultipleSeries(request, loadBars);
  const barsOf = (text: { toJSON(): unknown }) => text.toJSON() as ChartBar[];
  return {
    ...rest,
    chart_data: barsOf(chart_data),
    signal_results: signal_results.map((one) => ({ ...one, market_data: barsOf(one.market_data) })),
  };
}

/** Serves the hourly bars of BTC, and coarser ones made of them, and records its calls. */
function loader(bars = hourly) {
  const asked: string[] = [];
  const loadBars: LoadBars = async (asset, intervalMs, window) => {
    asked.push(`${asset} ${intervalMs / HOUR_MS}h from ${isoTime(window.startMs)}`);
    if (asset !== 'BTC' || intervalMs < HOUR_MS) throw new EngineError('NOT_FOUND', `no bars of ${asset}`);
    return within(intervalMs === HOUR_MS ? bars : aggregateBars(bars, intervalMs).bars, window, asset);
  };
  return { asked, loadBars };
}

const request = {
  symbol: 'BTC',
  start_date: '2024-02-20',
  end_date: '2024-02-29',
  signals: [
    { name: 'rsi_oversold', timeframe: '1h', params: { window: 7 } },
    { name: 'is_above_sma', timeframe: '4H', params: { window: 10 } },
    { name: 'bullish_engulfing', params: {} },
  ],
};

/** Times in the window at which the signal is true, computed from all bars. */
function truth(name: string, params: object, bars: BarSeries): string[] {
  const signal = requireSignal(name);
  const mask = signalMask(signal, resolveParams(signal, params), Frame.of(bars));
  const [from, to] = [Date.UTC(2024, 1, 20), Date.UTC(2024, 2, 1)];
  return Array.from(bars.time.entries())
    .filter(([i, time]) => time >= from && time + bars.intervalMs <= to && getBit(mask, i))
    .map(([, time]) => isoTime(time));
}

test('each signal answers on its own timeframe, with the bars of the window and warm from its first one', async () => {
  const { asked, loadBars } = loader();
  const answer = await asks(request, loadBars);
  assert.equal(answer.symbol, 'BTC');
  assert.equal(answer.chart_timeframe, '1h');
  assert.deepEqual([answer.start_date, answer.end_date], ['2024-02-20T00:00:00Z', '2024-03-01T00:00:00Z']);
  assert.equal(answer.chart_data.length, 240);
  assert.deepEqual(Object.keys(answer.chart_data[0]!), ['timestamp', 'open', 'high', 'low', 'close', 'volume']);
  const [rsi, sma, engulfing] = answer.signal_results;
  assert.deepEqual(rsi!.market_data, answer.chart_data);
  assert.deepEqual([rsi!.timeframe, sma!.timeframe, engulfing!.timeframe], ['1h', '4H', '1h']);
  assert.deepEqual([rsi!.bars_fetched, sma!.bars_fetched, engulfing!.bars_fetched], [240, 60, 240]);
  assert.deepEqual(rsi!.trigger_timestamps, truth('rsi_oversold', { window: 7 }, hourly));
  assert.deepEqual(
    sma!.trigger_timestamps,
    truth('is_above_sma', { window: 10 }, aggregateBars(hourly, 4 * HOUR_MS).bars),
  );
  assert.deepEqual(engulfing!.trigger_timestamps, truth('bullish_engulfing', {}, hourly));
  for (const { trigger_indices, trigger_timestamps, market_data, error } of answer.signal_results) {
    assert.ok(trigger_indices.length > 0);
    assert.deepEqual(
      trigger_indices.map((i) => market_data[i]!.timestamp),
      trigger_timestamps,
    );
    assert.equal(error, undefined);
  }
  assert.deepEqual(
    asked.map((text) => text.split(' from')[0]),
    ['BTC 1h', 'BTC 1h', 'BTC 4h'],
    'a load per timeframe',
  );
});

test('an invalid signal reports its own error in its place', async () => {
  const { loadBars } = loader();
  const signals = [
    { name: 'rsi_oversald', params: {} },
    request.signals[0],
    { name: 'rsi_oversold', params: { window: 1 } },
    { name: 'rsi_oversold', timeframe: '1m', params: {} },
    { name: 'rsi_oversold', timeframe: '5m', params: {} },
    { params: {} },
    'rsi',
    { name: 'whale_net_accumulation', params: {} },
    { name: { toString: 1 }, timeframe: 5 },
  ];
  const { signal_results } = await asks({ ...request, signals }, loadBars);
  const patterns = [
    /unknown signal "rsi_oversald", did you mean rsi_oversold/,
    null,
    /window must be 2\.\.100, was 1/,
    /timeframe must be one of 5m, 15m, 30m, 1h, 4h, 1d, was "1m"/,
    /no bars of BTC/,
    /Missing required field: name/,
    /a signal must be an object .* was "rsi"/,
    /no column WhaleNetInflow/,
    /unknown signal/,
  ];
  assert.equal(signal_results.length, signals.length);
  for (const [i, pattern] of patterns.entries()) {
    const { error, market_data, bars_fetched, trigger_indices, signal_name, timeframe } = signal_results[i]!;
    assert.deepEqual([typeof signal_name, typeof timeframe], ['string', 'string']);
    if (pattern === null) assert.equal(error, undefined);
    else assert.match(error ?? '', pattern);
    if (pattern !== null) assert.deepEqual([market_data, bars_fetched, trigger_indices], [[], 0, []]);
  }
});

test('faults of the whole request are refused', async () => {
  const { loadBars } = loader();
  const ask = (change: object) => evaluateMultipleSeries({ ...request, ...change }, loadBars);
  await rejectsWith(evaluateMultipleSeries({}, loadBars), 'MISSING_FIELD', /fields: symbol, start_date, end_date/);
  await rejectsWith(ask({ symbol: 'XYZ' }), 'VALIDATION_ERROR', /no bars of XYZ/);
  const swapped = ask({ start_date: '2024-03-05', end_date: '2024-03-04' });
  const inFull = /^start_date must be before end_date, was 2024-03-05 against 2024-03-04$/;
  await rejectsWith(swapped, 'VALIDATION_ERROR', inFull);
  await rejectsWith(
    ask({ start_date: '2025-01-01', end_date: '2025-02-01' }),
    'VALIDATION_ERROR',
    /no complete 1h bar of BTC/,
  );
  const signals = Array.from({ length: SERIES_SIGNALS_MAX + 1 }, () => request.signals[0]);
  await rejectsWith(ask({ signals }), 'VALIDATION_ERROR', /signals must be at most 50 signals, was "51 signals"/);
  assert.equal((await ask({ signals: signals.slice(1) })).signal_results.length, SERIES_SIGNALS_MAX);
});

test('the number of bars in an answer is bounded: signals that do not fit say so', async () => {
  const long = randomBars({ seed: 1, barCount: SERIES_BARS_MAX / 2 + 1, startMs: Date.UTC(2000, 0, 1) });
  const { loadBars } = loader(long);
  const all = { symbol: 'BTC', start_date: '2000-01-01', end_date: '2100-01-01', signals: [request.signals[2]] };
  const { chart_data, signal_results } = await asks(all, loadBars);
  assert.equal(chart_data.length, SERIES_BARS_MAX / 2 + 1);
  assert.match(
    signal_results[0]!.error ?? '',
    /may have at most 200000 bars and has room for 99999 more, .* has 100001/,
  );
  const longer = randomBars({ seed: 1, barCount: SERIES_BARS_MAX + 1, startMs: Date.UTC(2000, 0, 1) });
  await rejectsWith(evaluateMultipleSeries(all, loader(longer).loadBars), 'VALIDATION_ERROR', /has room for 200000/);
});
