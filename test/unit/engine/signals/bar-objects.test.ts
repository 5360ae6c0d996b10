import assert from 'node:assert/strict';
import test from 'node:test';
import { Frame } from '../../../../engine/indicators/frame.js';
import { resolveParams } from '../../../../engine/indicators/params.js';
import { getBit } from '../../../../engine/series/bits.js';
import { isoTime, parseIsoTime, parseTimestamp } from '../../../../engine/series/time.js';
import { type BarObject, evaluateBars } from '../../../../engine/signals/bar-objects.js';
import { signalMask } from '../../../../engine/signals/evaluate.js';
import { requireSignal, signals } from '../../../../engine/signals/registry.js';
import { randomParams } from '../../../support/params.js';
import { randomBars, seededRandom, withOnchain } from '../../../support/random.js';

const ask = (name: string, params: unknown, bars: readonly BarObject[]): boolean => {
  const signal = requireSignal(name);
  return evaluateBars(signal, resolveParams(signal, params), bars);
};

test('a list of bar objects gives the same answer as the series, for every signal', () => {
  const bars = withOnchain(randomBars({ seed: 9, barCount: 220, volatility: 0.05 }), 10);
  const objects = Array.from(
    { length: bars.barCount },
    (_, i): BarObject => ({
      Timestamp: isoTime(bars.time[i]),
      OPEN: bars.open[i],
      high: bars.high[i],
      Low: bars.low[i],
      close: bars.close[i],
      Volume: bars.volume[i],
      ...Object.fromEntries(
        Object.entries(bars.columns).map(([name, column]) => [name, Number.isNaN(column[i]) ? null : column[i]]),
      ),
    }),
  );
  const random = seededRandom(4);
  for (const signal of signals) {
    const params = randomParams(signal, random);
    const mask = signalMask(signal, params, Frame.of(bars));
    for (const length of [1, 60, 150, 220]) {
      const answer = evaluateBars(signal, params, objects.slice(0, length));
      assert.equal(answer, getBit(mask, length - 1), `${signal.name} over ${length} bars`);
    }
  }
});

test('without bars, the chain column or timestamps the answer is false, not an error', () => {
  assert.equal(ask('is_above_sma', { window: 2 }, []), false);
  assert.equal(ask('holder_concentration_low', {}, [{ Close: 1 }]), false);
  assert.equal(ask('holder_concentration_low', {}, [{ HolderConcentration: 'n/a' }]), false);
  assert.equal(ask('holder_concentration_low', {}, [{ HolderConcentration: 0.1 }, {}]), true);
  const rising = Array.from({ length: 40 }, (_, i) => ({ Close: 100 + i }));
  const dated = rising.map((bar, i) => ({ ...bar, timestamp: 1_704_067_200 + i * 3_600 }));
  assert.equal(ask('multi_tf_trend_bullish', { higher_tf: '4h', window: 2 }, rising), false);
  assert.equal(ask('multi_tf_trend_bullish', { higher_tf: '4h', window: 2 }, dated), true);
});

test('timestamps are read as ISO text, seconds or milliseconds, in UTC', () => {
  const expected = Date.UTC(2024, 0, 2, 3, 4, 5);
  for (const value of [
    '2024-01-02T03:04:05',
    '2024-01-02 03:04:05Z',
    '2024-01-02T04:04:05+01:00',
    expected / 1000,
    expected,
  ]) {
    assert.equal(parseTimestamp(value), expected, String(value));
  }
  assert.equal(parseIsoTime('2024-02-29'), Date.UTC(2024, 1, 29));
  for (const value of [
    '2023-02-29',
    '2024-02-30T00:00:00Z',
    '2024-1-2',
    'yesterday',
    '',
    '2024-01-02T25:00',
    null,
    NaN,
  ]) {
    assert.ok(Number.isNaN(parseTimestamp(value)), String(value));
  }
});
