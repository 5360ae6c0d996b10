import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ema } from '../../reference/indicators.js';
import {
  type ReferenceBars,
  referenceMargins,
  referenceMinBars,
  referenceSignal,
  referenceSignalNames,
} from '../../reference/signals.js';
import { writtenOut } from '../../reference/signals-formula.js';
import { randomBars, seededRandom } from '../../support/random.js';
import { goldenPath } from '../../support/tree.js';

interface ParamRecord {
  type: 'int' | 'float' | 'str' | 'bool' | 'list[int]' | 'formula';
  min?: number;
  max?: number;
  default?: unknown;
  enum?: string[];
  optional: boolean;
}

interface SignalRecord {
  name: string;
  category: string;
  requires: string[];
  params: Record<string, ParamRecord>;
  /** Null where the bars follow from a formula. */
  min_bars: string | null;
}

const records: SignalRecord[] = JSON.parse(readFileSync(goldenPath('signals.json'), 'utf8'));

type Params = Record<string, unknown>;

/** Values for the parameters that have no default. */
const REQUIRED: Params = {
  window: 10,
  window_fast: 5,
  window_slow: 20,
  column: 'PerpFundingRate',
  when: 'close > sma(close, n)',
};
const formulas = Object.keys(writtenOut);

/** The only parameter of the formulas that are written out. */
const formulaParams = ({ params }: SignalRecord): Params => ('when' in params ? { n: 10 } : {});

const defaults = (record: SignalRecord): Params => ({
  ...Object.fromEntries(Object.entries(record.params).map(([key, p]) => [key, p.optional ? p.default : REQUIRED[key]])),
  ...formulaParams(record),
});

/** Mostly small windows, so that short series get past the warm-up. */
const drawn = (record: SignalRecord, random: () => number): Params => ({
  ...Object.fromEntries(
    Object.entries(record.params).map(([key, p]) => {
      const { min = 0, max = 1 } = p;
      if (p.type === 'int') return [key, min + Math.floor(random() ** 3 * (max - min))];
      if (p.type === 'float') return [key, min + random() * (max - min)];
      if (p.type === 'bool') return [key, random() < 0.5];
      if (p.type === 'list[int]') return [key, [3, 5, 9]];
      // A text without an enum names a column.
      const texts = p.type === 'formula' ? formulas : (p.enum ?? COLUMNS);
      return [key, texts[Math.floor(random() * texts.length)]];
    }),
  ),
  ...formulaParams(record),
});

const COLUMNS = [...new Set(records.flatMap((record) => (record.category === 'onchain' ? record.requires : [])))];
const LEVELS = new Set(['SmartMoneyHoldings', 'HolderConcentration', 'TokenUnlockPressure', 'TreasuryUsd']);

/** Runs of equal values, missing cells and a late start, as real on-chain columns have them. */
function onchainColumn(name: string, length: number, random: () => number): number[] {
  const start = Math.floor(random() * 20);
  const cells: number[] = [];
  let value = 0;
  for (let t = 0; t < length; t++) {
    if (random() < 0.7) value = (LEVELS.has(name) ? random() : random() - 0.5) ** 3;
    cells.push(t < start || random() < 0.1 ? NaN : value);
  }
  return cells;
}

function bars(seed: number, barCount: number, volatility: number, tick: number, flatChance = 0.02): ReferenceBars {
  const made = randomBars({ seed, barCount, volatility, tick, flatChance, gapChance: 0.01 });
  const random = seededRandom(seed + 1);
  return {
    time: Array.from(made.time),
    open: Array.from(made.open),
    high: Array.from(made.high),
    low: Array.from(made.low),
    close: Array.from(made.close),
    volume: Array.from(made.volume),
    onchain: Object.fromEntries(COLUMNS.map((name) => [name, onchainColumn(name, barCount, random)])),
  };
}

const cut = (source: ReferenceBars, length: number): ReferenceBars => ({
  time: source.time.slice(0, length),
  open: source.open.slice(0, length),
  high: source.high.slice(0, length),
  low: source.low.slice(0, length),
  close: source.close.slice(0, length),
  volume: source.volume.slice(0, length),
  onchain: Object.fromEntries(Object.entries(source.onchain).map(([key, cells]) => [key, cells.slice(0, length)])),
});

const EMPTY = cut(bars(1, 1, 0.01, 0.01), 0);

test('the names are those of the registry, in its order', () => {
  assert.deepEqual(
    referenceSignalNames,
    records.map((record) => record.name),
  );
});

test('the required numbers of bars are those of the registry', () => {
  const random = seededRandom(5);
  for (const record of records.filter(({ min_bars }) => min_bars !== null)) {
    for (const params of [defaults(record), drawn(record, random), drawn(record, random)]) {
      const max = (...values: unknown[]) => Math.max(...(values.flat() as number[]));
      const keys = Object.keys(params);
      const expected: number = new Function('max', ...keys, `return ${record.min_bars}`)(
        max,
        ...keys.map((key) => params[key]),
      );
      assert.equal(referenceMinBars(record.name, params), expected, record.name);
    }
  }
});

const REGIMES: ReferenceBars[] = [
  bars(11, 450, 0.01, 0.01),
  bars(12, 450, 0.06, 0.5),
  bars(13, 450, 0.03, 1, 0.1),
  bars(14, 450, 0.002, 0.01),
  bars(15, 450, 0.3, 0.01),
];

test('every signal is seen true and false', () => {
  const oneSided: string[] = [];
  for (const record of records) {
    const random = seededRandom(99);
    const seen = new Set<boolean>();
    for (let attempt = 0; attempt < 12 && seen.size < 2; attempt++) {
      const params = attempt === 0 ? defaults(record) : drawn(record, random);
      for (const data of REGIMES) {
        const least = record.category === 'onchain' ? 0 : referenceMinBars(record.name, params) - 1;
        for (const answer of referenceSignal(record.name, params, data).slice(least)) seen.add(answer);
        if (seen.size === 2) break;
      }
    }
    if (seen.size < 2) oneSided.push(`${record.name}: ${[...seen].join()}`);
  }
  assert.deepEqual(oneSided, []);
});

test('the answers of a prefix are the prefix of the answers', () => {
  const whole = bars(21, 260, 0.03, 0.1);
  const random = seededRandom(3);
  for (const record of records) {
    for (const params of [defaults(record), drawn(record, random)]) {
      const answers = referenceSignal(record.name, params, whole);
      const margins = referenceMargins(record.name, params, whole);
      assert.equal(answers.length, 260);
      assert.ok(!margins.some((margin) => Number.isNaN(margin) || margin < 0), `${record.name} margins`);
      for (const length of [1, 2, 40, 177, 259]) {
        const prefix = cut(whole, length);
        assert.deepEqual(referenceSignal(record.name, params, prefix), answers.slice(0, length), record.name);
        assert.deepEqual(referenceMargins(record.name, params, prefix), margins.slice(0, length), record.name);
      }
      assert.deepEqual(referenceSignal(record.name, params, EMPTY), [], record.name);
    }
  }
});

const scaled = (source: ReferenceBars, factor: number): ReferenceBars => {
  const scale = (cells: number[]) => cells.map((cell) => cell * factor);
  return {
    ...source,
    open: scale(source.open),
    high: scale(source.high),
    low: scale(source.low),
    close: scale(source.close),
  };
};

test('scaling prices by a power of two changes no answer', () => {
  const source = bars(31, 300, 0.02, 0.01);
  const doubled = scaled(source, 2);
  // Every default threshold on an amount of price is zero.
  for (const record of records) {
    const params = defaults(record);
    assert.deepEqual(
      referenceSignal(record.name, params, doubled),
      referenceSignal(record.name, params, source),
      record.name,
    );
  }
});

test('another rounding changes answers only where the margins allow it', () => {
  const source = bars(32, 300, 0.02, 0.5, 0.2);
  const other = scaled(source, 1.1);
  // These sort bars by comparing sums or differences of raw prices: they depend on the written
  // form, not on tolerance.
  const byForm = /^(mfi|kvo|adx)_/;
  for (const record of records.filter(({ name }) => !byForm.test(name))) {
    const params = defaults(record);
    const answers = referenceSignal(record.name, params, source);
    const margins = referenceMargins(record.name, params, source);
    const otherMargins = referenceMargins(record.name, params, other);
    referenceSignal(record.name, params, other).forEach((answer, t) => {
      if (Math.min(margins[t], otherMargins[t]) >= 1e-9) assert.equal(answer, answers[t], `${record.name} at ${t}`);
    });
  }
});

test('few answers depend on rounding', () => {
  const source = bars(41, 300, 0.02, 0.01);
  const doubtful: Record<string, number> = {};
  for (const record of records) {
    const count = referenceMargins(record.name, defaults(record), source).filter((margin) => margin < 1e-9).length;
    if (count > 30) doubtful[record.name] = count;
  }
  assert.deepEqual(doubtful, {});
});

test('the worked example of the registry', () => {
  const close = [100, 102, 101, 103, 105, 104];
  const data: ReferenceBars = {
    time: close.map((_, i) => i * 3_600_000),
    open: close,
    high: close,
    low: close,
    close,
    volume: close,
    onchain: {},
  };
  assert.equal(referenceSignal('is_above_sma', { window: 2 }, data).at(-1), false);
  assert.deepEqual(referenceSignal('is_above_sma', { window: 2 }, data), [false, true, false, true, true, false]);
});

test('directions are compared without case, and only the two are valid', () => {
  const answers = (direction: unknown) =>
    referenceSignal('sma_crossover', { window_fast: 3, window_slow: 8, direction }, REGIMES[0]);
  assert.deepEqual(answers('BULLISH'), answers('bullish'));
  assert.deepEqual(answers('Bearish'), answers('bearish'));
  assert.ok(answers('bullish').includes(true));
  for (const other of ['up', 'down', '', ' bullish', 1, undefined]) assert.ok(!answers(other).includes(true));
  const awesome = (direction: unknown) =>
    referenceSignal('ao_zero_cross', { window_fast: 3, window_slow: 20, direction }, REGIMES[0]);
  assert.deepEqual(awesome(1), awesome('bullish'));
  assert.deepEqual(awesome(-1), awesome('bearish'));
  assert.deepEqual(awesome(7), awesome('bearish'));
});

test('an on-chain signal without its column is false', () => {
  for (const record of records.filter((each) => each.category === 'onchain')) {
    const answers = referenceSignal(record.name, defaults(record), { ...REGIMES[0], onchain: {} });
    assert.ok(!answers.includes(true), record.name);
  }
});

const hourly = (close: number[]): ReferenceBars => ({
  time: close.map((_, i) => i * 3_600_000),
  open: close,
  high: close,
  low: close,
  close,
  volume: close.map(() => 1),
  onchain: {},
});

test('a higher timeframe counts once its bucket has closed', () => {
  const data = hourly([1, 2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4]);
  const answers = (name: string) =>
    referenceSignal(name, { higher_tf: '4H', window: 1, slope_threshold: 0.4 }, data).flatMap((v, t) => (v ? [t] : []));
  // Bucket closes 4, 8, 4: slopes 0.5 and -1.
  assert.deepEqual(answers('multi_tf_trend_bullish'), [7, 8, 9, 10]);
  assert.deepEqual(answers('multi_tf_trend_bearish'), [11]);
});

test('the exponential average ages over gaps', () => {
  // a = 0.5: two missing bars leave the old value 0.125 against 0.5 for the new one.
  assert.deepEqual(ema([NaN, 8, 4, NaN, NaN, 16], 3).slice(0, 5), [NaN, NaN, NaN, NaN, NaN]);
  assert.equal(ema([NaN, 8, 4, NaN, NaN, 16], 3)[5], (0.125 * 6 + 0.5 * 16) / 0.625);
  assert.deepEqual(ema([8, 4, 2, NaN, 3.5], 3), [NaN, NaN, 4, 4, (0.25 * 4 + 0.5 * 3.5) / 0.75]);
});

test('a trigger on a sparse column stays true until the next observation', () => {
  const data = { ...hourly([1, 1, 1, 1, 1]), onchain: { PerpFundingRate: [-1, NaN, 1, NaN, 2] } };
  assert.deepEqual(referenceSignal('funding_flip_positive', {}, data), [false, false, true, true, false]);
});

test('a regular bullish divergence fires swing_window bars after its second low', () => {
  // A crash to 80, a rebound, then a slower drift to a slightly lower low and a turn.
  const close = [100, 101, 100, 101, 95, 90, 80, 88, 92, 96, 95, 98, 93, 91, 88, 86, 83, 79.5, 84, 87, 90, 91];
  const params = { rsi_window: 4, swing_window: 2, min_swing_distance: 5 };
  const answers = referenceSignal('rsi_bullish_divergence', params, hourly(close));
  assert.deepEqual(
    answers.flatMap((v, t) => (v ? [t] : [])),
    [19],
  );
});
