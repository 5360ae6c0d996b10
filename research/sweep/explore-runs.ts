import { bestFirst, hasTraded, statedColumn } from '../../data/sweeps/index.js';
import type { MetricName } from '../../engine/metrics/index.js';
import { labelledRules, type Ranking } from '../../engine/sweep/index.js';
import type { Explored, SheetParameter } from '../../report/index.js';
import { type Ask, type ReadRow, readNumber, shownMetrics } from './read-row.js';

/**
 * Most runs that a page carries. If more runs traded, it carries the best ones and a sample of the
 * others.
 */
const EXPLORED_MAX = 20_000;
const BEST_MAX = 2_000;

interface Exploration {
  readonly ask: Ask;
  readonly ranking: Ranking;
  /** Columns of the settings that the sweep varies. */
  readonly settings: readonly string[];
  /** Columns of the rules of the short side, if the sweep has one. */
  readonly shortRules: readonly string[];
}

/**
 * The runs of a sweep of strategies that traded, with the values of everything that varies among
 * them, as `exploredRuns` chooses them.
 */
export function exploreRuns({ ask, ranking, settings, shortRules }: Exploration): Promise<Explored> {
  const fixed = ['asset', 'timeframe', 'entry_json', 'exit_json', ...shortRules];
  const columns = [...fixed, ...settings];
  return exploredRuns({ ask, ranking, columns }, (rows) => sheetParameters(rows, settings, 1 + fixed.length));
}

/**
 * The runs that traded: all runs, or the best ones and an even sample of the others.
 * @param columns that `parameters` reads, which follow the number of the run in each row
 */
export async function exploredRuns(
  { ask, ranking, columns }: { readonly ask: Ask; readonly ranking: Ranking; readonly columns: readonly string[] },
  parameters: (rows: readonly ReadRow[]) => SheetParameter[],
): Promise<Explored> {
  const [[traded]] = (await ask(`SELECT count(*) FROM results WHERE ${hasTraded}`)).rows as [[number]];
  const runCount = Number(traded);
  const isWhole = runCount <= EXPLORED_MAX;
  const metricNames = [...new Set<MetricName>([ranking.by, ...shownMetrics])];
  const metrics = metricNames.map((name) => `${statedColumn(name)} AS metric_${name}`);
  const read = ['run_index', ...columns, ...metrics].join(', ');
  const chosen = isWhole ? '' : `AND run_index IN (${sampleQuery(ranking)})`;
  const { rows } = await ask(`SELECT ${read} FROM results WHERE ${hasTraded} ${chosen} ORDER BY run_index`);
  const at = 1 + columns.length;
  return {
    runs: Float64Array.from(rows, ([run]) => Number(run)),
    runCount,
    bestCount: isWhole ? 0 : BEST_MAX,
    parameters: parameters(rows),
    metrics: metricNames.map((name, i) => ({
      name,
      values: Float64Array.from(rows, (row) => readNumber(row[at + i]) ?? Number.NaN),
    })),
  };
}

/**
 * The best runs, and one run from each stretch of run numbers. A hash chooses the run within its
 * stretch, because a fixed stride would hit the same value of the fastest axis every time.
 */
const sampleQuery = (ranking: Ranking): string => `
  (SELECT run_index FROM results WHERE ${hasTraded} ORDER BY ${bestFirst(ranking)} LIMIT ${BEST_MAX})
  UNION
  (SELECT arg_min(run_index, (run_index::BIGINT * 2654435761) % 4294967296) FROM results WHERE ${hasTraded}
   GROUP BY run_index::BIGINT * ${EXPLORED_MAX - BEST_MAX} // (SELECT max(run_index) + 1 FROM results WHERE ${hasTraded}))`;

type Value = number | string;

/** The value of a setting that is switched off. */
const NONE = 'none';

/**
 * Everything that takes more than one value: datasets, triggers, filters, exit rules, their
 * parameters, settings.
 */
function sheetParameters(
  rows: readonly (readonly unknown[])[],
  settings: readonly string[],
  from: number,
): SheetParameter[] {
  const columns = new Map<string, (Value | undefined)[]>();
  const set = (name: string, i: number, value: unknown): void => {
    if (value === null || value === undefined) return;
    const column = columns.get(name) ?? new Array<Value | undefined>(rows.length);
    columns.set(name, column);
    column[i] = typeof value === 'number' ? value : String(value);
  };
  const rules = new Map<string, readonly (readonly [string, unknown])[]>();
  const facts = (side: Side, json: unknown, timeframe: string) => {
    const key = `${side} ${timeframe} ${json}`;
    const list = rules.get(key) ?? ruleFacts(side, json, timeframe);
    rules.set(key, list);
    return list;
  };
  for (const [i, row] of rows.entries()) {
    const [, asset, timeframe, ...rest] = row;
    set('dataset', i, `${asset} ${timeframe}`);
    for (const [s, side] of sides.slice(0, from - 3).entries()) {
      for (const [name, value] of facts(side, rest[s], String(timeframe))) set(name, i, value);
    }
    // A setting that is switched off has a value too.
    for (const [k, name] of settings.entries()) set(name, i, row[from + k] ?? NONE);
  }
  return [...columns].flatMap(([name, column]) => encodeValues(name, column) ?? []);
}

/** Sides of a run in the order of their columns, which follow run, asset and timeframe. */
const sides = ['entry', 'exit', 'short entry', 'short exit'] as const;
type Side = (typeof sides)[number];

/** Names and values of the rules of one side. A prefix marks all but entry rules of the long side. */
function ruleFacts(side: Side, json: unknown, own: string): (readonly [string, unknown])[] {
  const rules = labelledRules(json, own);
  const names = (role: string) =>
    rules
      .filter(({ signal_type }) => signal_type === role)
      .map(({ name }) => name)
      .join(' & ') || 'none';
  const prefix = side === 'entry' ? '' : `${side} `;
  const seen = new Map<string, number>();
  return [
    [`${side} trigger`, names('TRIGGER')],
    [`${side} filters`, names('FILTER')],
    ...rules.flatMap(({ name, params, timeframe, asset }) => {
      const of = asset === undefined ? name : `${name} of ${asset}`;
      const plain = timeframe === null ? of : `${of} on ${timeframe}`;
      const n = (seen.get(plain) ?? 0) + 1;
      seen.set(plain, n);
      const rule = `${prefix}${plain}${n === 1 ? '' : ` no. ${n}`}`;
      return Object.entries(params).map(([key, value]) => [`${rule}.${key}`, value] as const);
    }),
  ];
}

/** The sorted values and the code of each run; null for a parameter with a single value. */
function encodeValues(name: string, column: readonly (Value | undefined)[]): SheetParameter | null {
  const distinct = new Set<Value>();
  for (const value of column) if (value !== undefined) distinct.add(value);
  if (distinct.size < 2) return null;
  const isNumeric = [...distinct].every((value) => typeof value === 'number');
  const numbers = [...distinct].filter((value) => typeof value === 'number').sort((a, b) => a - b);
  const texts = [...distinct].filter((value) => typeof value === 'string').sort();
  const values = isNumeric ? numbers : [...new Set([...numbers.map(String), ...texts])];
  const code = new Map<Value, number>(values.map((value, i) => [value, i + 1]));
  const codes = Uint16Array.from(column, (value) =>
    // biome-ignore lint/style/noNonNullAssertion: the map has a code for every value
    value === undefined ? 0 : code.get(isNumeric ? value : String(value))!,
  );
  return { name, values, codes };
}
