import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Frame } from '../../../../engine/indicators/frame.js';
import { resolveParams } from '../../../../engine/indicators/params.js';
import { bitIndices, getBit, type Mask } from '../../../../engine/series/bits.js';
import { isoTime, parseIsoTime, parseTimestamp } from '../../../../engine/series/time.js';
import { type BarObject, evaluateBars } from '../../../../engine/signals/bar-objects.js';
import { signalMask } from '../../../../engine/signals/evaluate.js';
import { requireSignal, signals } from '../../../../engine/signals/registry.js';
import { referenceSignal } from '../../../reference/signals.js';
import { barsOf, type PriceRow } from '../../../support/execution.js';
import { randomParams } from '../../../support/params.js';
import { randomBars, seededRandom, withOnchain } from '../../../support/random.js';
import { signalBars } from '../../../support/reference.js';
import { goldenPath } from '../../../support/tree.js';

/** A formula is true as soon as its own indicators have values, which may be earlier. */
const fromBar100 = (mask: Mask): number[] => [...bitIndices(mask)].filter((bar) => bar >= 100);

test('a signal that offers a formula for settings beyond its bounds agrees with it inside them', () => {
  const bars = randomBars({ seed: 11, barCount: 600 });
  const offering = signals.filter(({ asFormula }) => asFormula !== undefined);
  assert.ok(offering.length >= 8);
  const formula = requireSignal('formula');
  for (const signal of offering) {
    const when = signal.asFormula?.(resolveParams(signal, {})) ?? '';
    const own = fromBar100(signalMask(signal, resolveParams(signal, {}), Frame.of(bars)));
    const same = fromBar100(signalMask(formula, resolveParams(formula, { when }), Frame.of(bars)));
    assert.deepEqual(same, own, signal.name);
  }
});

interface Example {
  readonly title: string;
  readonly signal: string;
  readonly params: object;
  readonly close: readonly number[];
  readonly columns?: Readonly<Record<string, readonly (number | null)[]>>;
  /** Bars on which the signal is true. */
  readonly true: readonly number[];
}

const { examples }: { examples: Example[] } = JSON.parse(readFileSync(goldenPath('signal-examples.json'), 'utf8'));

for (const { title, signal: name, params: given, close, columns = {}, true: expected } of examples) {
  test(`${name} and its naive version agree with the worked example: ${title}`, () => {
    const bars = {
      ...barsOf(close.map((c): PriceRow => [c, c, c, c])),
      columns: Object.fromEntries(
        Object.entries(columns).map(([key, cells]) => [key, Float64Array.from(cells, (cell) => cell ?? NaN)]),
      ),
    };
    const signal = requireSignal(name);
    // Windows below their bounds keep examples short.
    const params = resolveParams(signal, given, false);
    assert.deepEqual([...bitIndices(signalMask(signal, params, Frame.of(bars)))], expected);
    const answers = referenceSignal(name, params, signalBars(bars));
    assert.deepEqual(
      answers.flatMap((answer, bar) => (answer ? [bar] : [])),
      expected,
    );
  });
}

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
