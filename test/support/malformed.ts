import assert from 'node:assert/strict';
import fc from 'fast-check';
import { EngineError } from '../../engine/errors.js';
import { csvOf } from './data-fixtures.js';
import { randomBars } from './random.js';

/** A document that the command line reads, valid or broken, as the bytes of a file. */
export interface Document {
  readonly kind: DocumentKind;
  readonly bytes: Buffer;
}

export type DocumentKind = 'strategy' | 'config' | 'simulate' | 'signals' | 'csv';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const nested = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth);

/** JSON texts of values that may break code which expects others. */
const awkward: readonly string[] = [
  'null',
  'true',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e308',
  '1e309',
  '-1e400',
  '9007199254740993',
  '123456789012345678901234567890',
  '""',
  '" "',
  '"\\u0000"',
  '"\\ud800"',
  '"\\u202e\\ufeff"',
  '"null"',
  '"NaN"',
  '"1"',
  '"2024-02-30"',
  '"../../etc/passwd"',
  `"' or 1=1 --"`,
  '"00000000-0000-4000-8000-000000000000"',
  `"${'x'.repeat(5_000)}"`,
  '[]',
  '[[]]',
  '[null]',
  '[{}]',
  '{}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":1,"valueOf":1,"hasOwnProperty":1,"length":-1}',
  nested(200, '[', ']'),
  nested(5_000, '{"a":', '}').replace('{"a":}', '{}'),
  `[${'0,'.repeat(2_000)}0]`,
];

const value: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...awkward) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
);

/**
 * A valid body with one to three places in it, at any depth, replaced or removed. One of two is no item of
 * a list but the first, as long lists have most of the places.
 * @param more texts to put there, beside those for any JSON
 */
function damaged(good: object, more: readonly string[] = []): fc.Arbitrary<string> {
  const places = placesOf(good);
  const rare = places.filter((place) => place.every((key) => !/^[1-9]/.test(key)));
  const place = fc.oneof(fc.constantFrom(...places), fc.constantFrom(...rare));
  const text = more.length === 0 ? value : fc.oneof(value, fc.constantFrom(...more));
  return fc.array(fc.tuple(place, fc.option(text)), { minLength: 1, maxLength: 3 }).map((changes) => {
    const copy = structuredClone(good) as Record<string, unknown>;
    for (const [i, [path, put]] of changes.entries()) {
      const parent = path.slice(0, -1).reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], copy);
      if (typeof parent !== 'object' || parent === null) continue; // an earlier change took it away
      const at = parent as Record<string, unknown>;
      if (put === null) delete at[path.at(-1) ?? ''];
      else at[path.at(-1) ?? ''] = `(damage ${i})`;
    }
    return JSON.stringify(copy).replace(/"\(damage (\d)\)"/g, (_, i: string) => changes[Number(i)]?.[1] ?? '');
  });
}

/** The paths of all values in an object, at any depth. */
function placesOf(node: unknown, path: readonly string[] = []): string[][] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, inner]) => [[...path, key], ...placesOf(inner, [...path, key])]);
}

const bars = randomBars({ seed: 5, barCount: 30, flatChance: 0 });

/** Sound bars of one hour, the file that strategies, settings and requests are tried on. */
export const soundCsv: string = csvOf(bars);

const barRows: Json[] = Array.from(bars.time, (time, i) => [
  time / 1000,
  bars.open[i]!,
  bars.high[i]!,
  bars.low[i]!,
  bars.close[i]!,
  bars.volume[i]!,
]);

export const soundStrategy: Json = {
  name: 'sound',
  asset: 'BTC',
  entry: [
    { name: 'ema_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: { window_fast: 2, window_slow: 5 } },
    { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '4h', params: { window: 2 } },
  ],
  exit: [{ name: 'rsi_overbought', signal_type: 'TRIGGER', timeframe: null, params: {} }],
  reward_factor: 3,
  execution_config: { atr_period: 3, atr_long_weight: 0 },
};

export const soundConfig: Json = {
  initial_balance: 10000,
  min_balance_threshold: 0.1,
  min_trade_amount: 25,
  max_risk_per_trade: 0.01,
  max_units_per_trade: 1000,
  max_trade_amount: 5000,
  position_size_calc: 'v2',
  max_open_positions: 3,
  max_trades_per_day: 5,
  stop_loss_calculation: 'dynamic_atr',
  fixed_stop_pct: 0.02,
  atr_period: 3,
  atr_volatility_factor: 2,
  atr_short_weight: 1,
  atr_long_weight: 0,
  atr_cap_multiplier: 2.1,
  reward_factor: 2,
  slippage_pct: 0.001,
  fee_pct: 0.001,
  enable_volatility_adjustment: true,
  volatility_mode: 'stddev',
  volatility_window: 5,
  target_volatility: 0.4,
  max_hold_bars: 10,
  exit_on_loss_after_bars: 8,
  exit_on_profit_after_bars: null,
  profit_threshold_pct: 0.05,
  max_hold_time_hours: 12,
  cooldown_config: { '1h': { short_loss_limit: 2, long_loss_limit: 3, short_window_bars: 4, long_window_bars: 8 } },
};

const soundRequests: Json[] = [
  {
    id: 'masks',
    interval: '1h',
    first: 2,
    bars: barRows,
    masks: { entry: [3, 8, 20], exit: [6, 12] },
    config: soundConfig,
  },
  { id: 'rules', interval: '1h', bars: barRows, strategy: soundStrategy, config: { fee_pct: 0 } },
];

const soundSignals: Json[] = [
  { name: 'rsi_oversold', params: { window: 5, threshold: 40 } },
  { name: 'sma_cross_up', params: { window_fast: 2, window_slow: 4 } },
  { name: 'bullish_engulfing', params: {} },
  { name: 'ema_ribbon_bullish' },
].slice(0, 3);

const sound: Readonly<Record<Exclude<DocumentKind, 'csv'>, Json>> = {
  strategy: soundStrategy,
  config: soundConfig,
  simulate: soundRequests,
  signals: soundSignals,
};

/** Texts that break a table of numbers or a set of settings, beside those that break any JSON. */
const scraps: readonly string[] = [
  ...['"Infinity"', '"1h"', '"5m"', '"7x"', '0.5', '2', '5', '200', '4096', '1e21', '-1e21', '5e-324', '1704067200.5'],
  ...['NaN', '-Infinity', 'undefined', '01', '0x10', '1_000', "'a'", '', '"__proto__"', '"TRIGGER"', '"FILTER"'],
  ...['"rsi_oversol"', '"1m"', '"fixed"', '"v3"', '"2024-01-01"', '9'.repeat(400), `"${'x'.repeat(100)}\\n at y"`],
];

const spot = fc.nat({ max: 1_000_000 });

/** What may happen to the bytes of a file. */
const cut = fc.record({
  at: spot,
  put: fc.constantFrom('', '\xff\xc3\x28', '\xff'.repeat(64), '\0', '\n]}\n', '\ufeff'),
  where: fc.constantFrom('into', 'over', 'end'),
});

/** Bytes with others put into them, over them, or in place of their end. */
function broken(bytes: Buffer, { at, put, where }: { at: number; put: string; where: string }): Buffer {
  const index = at % (bytes.length + 1);
  const own = Buffer.from(put, put === '\ufeff' ? 'utf8' : 'latin1');
  const rest = where === 'end' ? Buffer.alloc(0) : bytes.subarray(index + (where === 'over' ? own.length : 0));
  return Buffer.concat([bytes.subarray(0, index), own, rest]);
}

/** A file with one or two faults in its bytes. */
export const mutilated = (bytes: Buffer): fc.Arbitrary<Buffer> =>
  fc.array(cut, { minLength: 1, maxLength: 2 }).map((cuts) => cuts.reduce(broken, bytes));
const fileOf = (kind: DocumentKind, text: fc.Arbitrary<string>): fc.Arbitrary<Document> =>
  fc
    .tuple(text, fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: cut }))
    .map(([whole, damage]) => {
      const bytes = Buffer.from(whole);
      return { kind, bytes: damage === null ? bytes : broken(bytes, damage) };
    });

const jsonDocument = (kind: keyof typeof sound): fc.Arbitrary<Document> =>
  fileOf(kind, damaged(sound[kind] as object, scraps));

const cells = ['', 'NaN', 'inf', '-1', '0', '1e999', '5e-324', '"', 'abc', '2024-01-01', '0x1', '1,5', '9'.repeat(400)];

const row = fc.record({
  op: fc.constantFrom('cell', 'drop', 'repeat', 'swap', 'short', 'long', 'column'),
  spot,
  cell: fc.constantFrom(...cells),
});

/**
 * A table of bars with broken cells, rows that are out of order, repeated, too short or too long,
 * or lost columns.
 */
const csvDocument = fileOf(
  'csv',
  fc.array(row, { minLength: 1, maxLength: 3 }).map((changes) => {
    const rows = soundCsv
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','));
    for (const { op, spot: at, cell } of changes) {
      const i = at % rows.length;
      const cellIndex = Math.floor(at / rows.length) % 6;
      if (op === 'cell') rows[i]![cellIndex] = cell;
      else if (op === 'drop') rows.splice(i, 1);
      else if (op === 'repeat') rows.splice(i, 0, rows[i]!);
      else if (op === 'swap') rows.splice(i, 0, ...rows.splice(at % 7, 1));
      else if (op === 'short') rows[i] = rows[i]!.slice(0, cellIndex);
      else if (op === 'long') rows[i] = [...rows[i]!, cell];
      else for (const each of rows) each.splice(cellIndex, 1);
    }
    return `${rows.map((each) => each.join(',')).join('\n')}\n`;
  }),
);

export const documents: Readonly<Record<DocumentKind, fc.Arbitrary<Document>>> = {
  strategy: jsonDocument('strategy'),
  config: jsonDocument('config'),
  simulate: jsonDocument('simulate'),
  signals: jsonDocument('signals'),
  csv: csvDocument,
};

/** Asserts an EngineError that names the fault in one line, without a stack. */
export function assertRefusal(error: unknown): asserts error is EngineError {
  assert.ok(
    error instanceof EngineError,
    `an EngineError, was ${(error as Error)?.stack?.slice(0, 1_500) ?? String(error)}`,
  );
  assert.match(error.message, /^[^\r\n]*\S[^\r\n]*$/);
  assert.ok(error.message.length < 400, `${error.message.length} characters: ${error.message}`);
  assert.doesNotMatch(error.message, /\bat .+:\d+:\d+|node:internal|\[object|(was|against|holds) undefined/);
}

/**
 * Asserts that there is no NaN and no infinity, so that the answer is JSON without a null in place
 * of a number. The parameters of a refused rule belong to its author and are shown unchanged.
 */
export function assertFinite(value: unknown, path = 'answer'): void {
  if (typeof value === 'number') assert.ok(Number.isFinite(value), `${path} is ${value}`);
  else if (value instanceof Map) for (const [key, entry] of value) assertFinite(entry, `${path}.${String(key)}`);
  else if (typeof value === 'object' && value !== null) {
    const isRefusedRule = 'reason' in value && 'params' in value;
    for (const [key, entry] of Object.entries(value)) {
      if (!(isRefusedRule && key === 'params')) assertFinite(entry, `${path}.${key}`);
    }
  }
}
