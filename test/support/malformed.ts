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

/** The same, shown as text where a property fails. */
const documentOf = (kind: DocumentKind, bytes: Buffer): Document => ({
  kind,
  bytes,
  ...{ [fc.toStringMethod]: () => `${kind}, ${bytes.length} bytes: ${bytes.toString('utf8').slice(0, 2_000)}` },
});

export type DocumentKind = 'strategy' | 'config' | 'simulate' | 'signals' | 'csv';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

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

export const soundRequests: Json[] = [
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

export const soundSignals: Json[] = [
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

const deep = (open: string, close: string) => `${open.repeat(10_000)}1${close.repeat(10_000)}`;

/**
 * Texts that replace a value. Some are no JSON, some are JSON of the wrong kind, and a few may be
 * valid.
 */
const scraps: readonly string[] = [
  ...['null', 'true', '{}', '[]', '""', '" "', '"NaN"', '"Infinity"', '"1"', '"1h"', '"5m"', '"7x"', '[1]', '{"a":1}'],
  ...['0', '-0', '-1', '1', '0.5', '1.5', '2', '5', '200', '4096', '1e6', '1e21', '-1e21', '9007199254740993'],
  ...['1e308', '-1e308', '5e-324', '1e-300', '1e999', '-1e999', '1704067200', '1704067200.5'],
  ...[
    'NaN',
    'Infinity',
    '-Infinity',
    'undefined',
    '01',
    '0x10',
    '1_000',
    "'a'",
    '',
    '"\\ud800"',
    '"\\u0000"',
    '"\\n\\n"',
  ],
  ...['"__proto__"', '"constructor"', '"toString"', '{"__proto__":{"name":"x"}}', '{"constructor":{"prototype":1}}'],
  ...['"TRIGGER"', '"FILTER"', '"rsi_oversol"', '"1m"', '"fixed"', '"atr"', '"v3"'],
  ...['"2024-01-01"', '"\\u2028"', `"${'é'.repeat(50_000)}"`, '9'.repeat(400), `"${'x'.repeat(100)}\\n at y"`],
  ...[deep('[', ']'), deep('{"a":', '}')],
];

const keys = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  'k'.repeat(10_000),
  'atr_period',
  'fee_pc',
  'a\nb',
];

const spot = fc.nat({ max: 1_000_000 });
const structural = fc.oneof(
  { weight: 5, arbitrary: fc.record({ op: fc.constant('replace' as const), spot, scrap: fc.constantFrom(...scraps) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('drop' as const), spot }) },
  {
    weight: 1,
    arbitrary: fc.record({ op: fc.constantFrom('repeat' as const, 'swap' as const, 'wrap' as const), spot }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constantFrom('add' as const, 'rename' as const),
      spot,
      key: fc.constantFrom(...keys),
      scrap: fc.constantFrom(...scraps),
    }),
  },
);

type Structural = typeof structural extends fc.Arbitrary<infer T> ? T : never;

/** A place in a document: a container and the key of one of its values. */
interface Place {
  readonly parent: Json[] | { [key: string]: Json };
  readonly key: string | number;
}

function placesOf(node: Json, places: Place[] = []): Place[] {
  if (typeof node !== 'object' || node === null) return places;
  for (const key of Array.isArray(node) ? node.keys() : Object.keys(node)) {
    places.push({ parent: node, key });
    placesOf((node as Record<string | number, Json>)[key]!, places);
  }
  return places;
}

/** Bars are most of a document, so half of the time another place is chosen. */
function placeAt(root: Json, at: number): Place | undefined {
  const all = placesOf(root);
  const rare = all.filter(({ parent, key }) => !(Array.isArray(parent) && (parent.length > 5 || key !== 0)));
  const places = at % 2 === 0 && rare.length > 0 ? rare : all;
  return places[Math.floor(at / 2) % Math.max(1, places.length)];
}

const set = (target: object, key: string | number, value: Json) =>
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });

/** Scraps need not be JSON, so marks stand in for them until the document is text. */
const mark = (scrap: string): string => `@@${scraps.indexOf(scrap)}@@`;
const unmark = (text: string): string => text.replace(/"@@(\d+)@@"/g, (_, index: string) => scraps[Number(index)]!);

function mutate(document: { root: Json }, change: Structural): void {
  const place = placeAt(document as unknown as Json, change.spot);
  if (place === undefined) return;
  const { parent, key } = place;
  const value = (parent as Record<string | number, Json>)[key]!;
  switch (change.op) {
    case 'replace':
      set(parent, key, mark(change.scrap));
      return;
    case 'drop':
      if (Array.isArray(parent)) parent.splice(Number(key), 1);
      else if (key !== 'root') delete parent[key];
      return;
    case 'repeat':
      if (Array.isArray(parent)) parent.splice(Number(key), 0, value);
      return;
    case 'swap':
      if (Array.isArray(parent) && Number(key) > 0) parent.splice(Number(key) - 1, 2, value, parent[Number(key) - 1]!);
      return;
    case 'wrap':
      set(parent, key, [value]);
      return;
    case 'add': {
      const target = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : parent;
      if (!Array.isArray(target)) set(target, change.key, mark(change.scrap));
      return;
    }
    case 'rename':
      if (Array.isArray(parent) || key === 'root') return;
      delete parent[key];
      set(parent, change.key, value);
  }
}

const textual = fc.record({
  op: fc.constantFrom(
    'cut' as const,
    'badUtf8' as const,
    'zero' as const,
    'overflow' as const,
    'tail' as const,
    'bom' as const,
    'empty' as const,
  ),
  spot,
});

type Textual = typeof textual extends fc.Arbitrary<infer T> ? T : never;

function damage(bytes: Buffer, { op, spot: at }: Textual): Buffer {
  const index = at % (bytes.length + 1);
  const insert = (what: Buffer | string) =>
    Buffer.concat([bytes.subarray(0, index), Buffer.from(what as string), bytes.subarray(index)]);
  switch (op) {
    case 'cut':
      return bytes.subarray(0, index);
    case 'badUtf8':
      return insert(Buffer.from([0xff, 0xc3, 0x28]));
    case 'zero':
      return insert(Buffer.from([0]));
    case 'overflow': {
      const numbers = [...bytes.toString('latin1').matchAll(/\d+(\.\d+)?/g)];
      const hit = numbers[at % Math.max(1, numbers.length)];
      if (hit === undefined) return bytes;
      const rest = bytes.subarray(hit.index + hit[0].length);
      return Buffer.concat([bytes.subarray(0, hit.index), Buffer.from('1e999'), rest]);
    }
    case 'tail':
      return Buffer.concat([bytes, Buffer.from('\n]}\n')]);
    case 'bom':
      return Buffer.concat([Buffer.from('\uFEFF'), bytes]);
    case 'empty':
      return Buffer.alloc(0);
  }
}

function jsonDocument(kind: keyof typeof sound): fc.Arbitrary<Document> {
  return fc
    .record({
      changes: fc.array(structural, { minLength: 1, maxLength: 3 }),
      damages: fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.tuple(textual) }),
    })
    .map(({ changes, damages }) => {
      const document = { root: structuredClone(sound[kind]) };
      for (const change of changes) mutate(document, change);
      let bytes = Buffer.from(unmark(JSON.stringify(document.root)));
      for (const each of damages as Textual[]) bytes = damage(bytes, each) as typeof bytes;
      return documentOf(kind, bytes);
    });
}

const cells = [
  '',
  'NaN',
  'nan',
  'inf',
  '-1',
  '0',
  '1e999',
  '1e308',
  '5e-324',
  '"',
  'abc',
  '1704067200',
  '2024-01-01',
  '0x1',
  '1,5',
  ' ',
  '9'.repeat(400),
];

const row = fc.record({
  op: fc.constantFrom(
    'cell' as const,
    'drop' as const,
    'repeat' as const,
    'swap' as const,
    'short' as const,
    'long' as const,
    'column' as const,
  ),
  spot,
  cell: fc.constantFrom(...cells),
});

/**
 * A table of bars with broken cells, rows that are out of order, repeated, too short or too long,
 * or lost columns.
 */
const csvDocument: fc.Arbitrary<Document> = fc
  .record({
    changes: fc.array(row, { minLength: 1, maxLength: 3 }),
    damages: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.tuple(textual) }),
  })
  .map(({ changes, damages }) => {
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
    let bytes = Buffer.from(`${rows.map((each) => each.join(',')).join('\n')}\n`);
    for (const each of damages as Textual[]) bytes = damage(bytes, each) as typeof bytes;
    return documentOf('csv', bytes);
  });

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
