import {
  amongRankable,
  bestFirst,
  mayLead,
  queryResults,
  type ResultTable,
  sqlText,
  statedColumn,
  type Varied,
  variedColumns,
} from '../data/sweeps/index.js';
import { EngineError } from '../engine/errors.js';
import { positionColumns, positionFieldNames, settingColumns } from '../engine/execution/index.js';
import { betterSide, type MetricName, metricNames, ratioDenominator, whyWithout } from '../engine/metrics/index.js';
import {
  datasetName,
  defaultRanking,
  isRankingMetric,
  labelledRules,
  notRankable,
  type Ranking,
  ruleLabel,
  type SearchPower,
  sideLabel,
} from '../engine/sweep/index.js';
import { count, headedTable, plural, table, terminalWidth } from './output.js';

export const TOP_MAX = 10_000;
const ruleColumns: readonly string[] = ['entry_json', 'exit_json', 'short_entry_json', 'short_exit_json'];
const TOP_COLUMNS = ['run_index', 'asset', 'timeframe', 'total_trades'];
const TOP_METRICS = ['sharpe_ratio', 'total_return', 'max_drawdown', 'win_rate'];

interface RankingOptions {
  readonly by?: string;
  readonly minTrades?: number;
}

/** @throws EngineError INVALID_FIELD for a metric that cannot rank runs */
export function readRanking(options: RankingOptions): Ranking {
  const { by = defaultRanking.by, minTrades = defaultRanking.minTrades } = options;
  if (!isRankingMetric(by)) throw new EngineError('INVALID_FIELD', notRankable('by', by), { field: 'by' });
  return { by, minTrades };
}

interface RankedRuns {
  readonly ranking: Ranking;
  readonly varied: Varied;
  /** The best runs, best first. */
  readonly best: ResultTable;
  /** For each of them, why it has no value of a ratio: by name, such as `no loss`. */
  readonly reasons: readonly Reasons[];
  /** Runs that traded, and how many of them may lead. */
  readonly traded: number;
  readonly eligible: number;
}

type Reasons = Readonly<Record<string, string>>;

/**
 * The best runs of sweeps. Only runs that traded are ranked; in a walk-forward sweep, only runs of
 * the newest training window.
 */
export async function rankRuns(folders: readonly string[], ranking: Ranking, top: number): Promise<RankedRuns> {
  const sweep = folders.length > 1 ? ['experiment_id'] : [];
  const varied = await variedColumns(folders);
  const figures = [...TOP_COLUMNS, ranking.by, ...TOP_METRICS];
  const shown = [...new Set([...sweep, ...figures, ...varied.beside, ...varied.parameters, ...ruleColumns])];
  // The counts apart: a filtered count in a window over all rows costs rows squared.
  const counts = `SELECT count(*) AS traded, count(*) FILTER (${mayLead(ranking)}) AS eligible FROM results`;
  const ratios = metricNames.filter((name) => shown.includes(name) && ratioDenominator(name) !== null);
  const stated = ratios.map((name) => `${statedColumn(name)} AS stated_${name}`);
  // Sweeps that are long only have no columns of short rules.
  const held = `COLUMNS(name -> name IN (${shown.map(sqlText).join(', ')}))`;
  const sql = `SELECT traded, eligible, ${[...stated, held].join(', ')} FROM results, (${counts})
    ORDER BY ${bestFirst(ranking)} LIMIT ${top}`;
  const found = await queryResults(folders, amongRankable(sql));
  const [traded, eligible] = (found.rows[0] ?? [0, 0]).map(Number) as [number, number];
  const best = pickColumns(
    found,
    shown.filter((name) => found.columns.includes(name)),
  );
  const reasons = found.rows.map((row) => missingReasons(ratios, row.slice(2, 2 + ratios.length)));
  return { ranking, varied, best, reasons, traded, eligible };
}

const missingReasons = (ratios: readonly MetricName[], stated: readonly unknown[]): Reasons =>
  Object.fromEntries(
    ratios.flatMap((name, i) => (typeof stated[i] === 'number' ? [] : [[name, whyWithout(name) ?? '-'] as const])),
  );

/** The best runs for a terminal: what ranks them, the table, and notes about few trades. */
export function rankedLines({ ranking, varied, best, reasons, traded, eligible }: RankedRuns, where = ''): string[] {
  if (traded === 0) return [`No run traded${where}, so there is nothing to rank.`];
  const { by, minTrades } = ranking;
  const trades = best.columns.indexOf('total_trades');
  const hasFew = (row: readonly unknown[]) => Number(row[trades]) < minTrades;
  const notes = [
    ...(best.rows.some(hasFew) ? [`* fewer than ${plural(minTrades, 'trade')}: such runs rank after all others`] : []),
    ...new Set(reasons.flatMap(({ [by]: why }) => (why === undefined ? [] : [whyNote(by, why)]))),
    ...(eligible === 0 ? ['No run has that many, so the best of all that traded leads.'] : []),
  ];
  return [
    `The best ${count(best.rows.length)} of ${plural(traded, 'run')} that traded${where}, by ${by} (${betterSide(by)} is better); a leader needs ${plural(minTrades, 'trade')} or more (--min-trades)`,
    ...rankedTable(
      {
        ...best,
        rows: withShortRules(best).rows.map((row, place) =>
          row.map((value, i) => {
            if (i === trades && hasFew(row)) return `${value}*`;
            return reasons[place]?.[best.columns[i] ?? ''] ?? value;
          }),
        ),
      },
      by,
      varied,
    ),
    ...notes,
  ];
}

const whyNote = (by: MetricName, why: string): string =>
  `${why}: ${by} has no denominator; with a gain such a run ranks above any number, without one last`;

export const toRecords = ({ columns, rows }: ResultTable): Record<string, unknown>[] =>
  rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]])));

/** Ratios keep their documented value; `no_value` says which of them have no denominator, and why. */
export const rankedRecords = ({ best, reasons }: RankedRuns): Record<string, unknown>[] =>
  toRecords(best).map((record, place) => {
    const why = reasons[place] ?? {};
    return Object.keys(why).length === 0 ? record : { ...record, no_value: why };
  });

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';
/** A figure is rounded; what tells one configuration from another keeps all its digits. */
const cell = (value: unknown, isExact: boolean): string =>
  isNumber(value) && !Number.isInteger(value) && !isExact ? value.toPrecision(5) : String(value ?? '-');

/** Rules in short form: `sma_cross_up(5, 20)`. */
const shortRules = (json: string, own: unknown): string =>
  sideLabel(labelledRules(json, String(own)), ruleLabel) || '-';

/** The same rows with rules in short form, which name their timeframe where it differs from the row's. */
export function withShortRules({ columns, rows }: ResultTable): ResultTable {
  const own = columns.indexOf('timeframe');
  return {
    columns,
    rows: rows.map((row) =>
      row.map((value, i) => (isRules(columns[i] ?? '') && isText(value) ? shortRules(value, row[own]) : value)),
    ),
  };
}

const isRules = (name: string): boolean => ruleColumns.includes(name);

/** Settings keep all their digits, as swept parameters do. */
const settingNames = [...settingColumns, ...positionColumns(positionFieldNames)].map(({ name }) => name);

/** Rows for a terminal, with rules in short form. @param varied columns that keep all their digits */
export function tableLines(result: ResultTable, varied?: Varied): string[] {
  const { rows, align } = tableCells(result, varied);
  return headedTable(rows, align);
}

/**
 * One table where the terminal is wide enough for it. If not, what varies follows in a second one;
 * parameters, which the rules have too, get columns of their own only where these fit.
 */
function rankedTable(result: ResultTable, by: string, varied: Varied): string[] {
  const isWide = fits(fullLines(result, varied));
  if (isWide) return tableLines(result, varied);
  const known = ['experiment_id', ...TOP_COLUMNS, by, ...TOP_METRICS];
  const held = (names: readonly string[]) => result.columns.filter((name) => names.includes(name));
  const first = held(['experiment_id', 'run_index']);
  const rules = held(ruleColumns);
  const beside = held(varied.beside);
  const both = pickColumns(result, [...first, ...beside, ...held(varied.parameters), ...rules]);
  const below = fits(fullLines(both, varied)) ? both : pickColumns(result, [...first, ...beside, ...rules]);
  return [...tableLines(pickColumns(result, held(known)), varied), '', ...tableLines(below, varied)];
}

const fits = (lines: readonly string[]): boolean => lines.every(({ length }) => length <= terminalWidth());

function fullLines(result: ResultTable, varied: Varied): string[] {
  const { rows, align } = tableCells(result, varied);
  return table(rows, align, Infinity);
}

/** Some columns of a table. */
function pickColumns({ columns, rows }: ResultTable, names: readonly string[]): ResultTable {
  const places = names.map((name) => columns.indexOf(name));
  return { columns: names, rows: rows.map((row) => places.map((place) => row[place])) };
}

function tableCells({ columns, rows }: ResultTable, varied?: Varied) {
  const exact = new Set([...settingNames, ...(varied?.parameters ?? []), ...(varied?.beside ?? [])]);
  const header = columns.map((name) => (isRules(name) ? name.replace('_json', '') : name));
  const body = rows.map((row) => row.map((value, i) => cell(value, exact.has(columns[i] ?? ''))));
  const isRight = (name: string, i: number) => name === 'total_trades' || rows.some((row) => isNumber(row[i]));
  const align = columns.map((name, i) => (isRight(name, i) ? ('right' as const) : ('left' as const)));
  return { rows: [header, ...body], align };
}

/** How to go on with a sweep that has not all of its rows. */
export const stoppedLine = (folder: string, { service }: { readonly service?: string | undefined }): string =>
  service === undefined
    ? `Stopped. To resume: barline sweep --resume --out ${folder}`
    : `Not all of it. To take the rest from the service, repeat the command; to run it here: barline sweep --resume --out ${folder}`;

/** Datasets that are named; a line about more would be no line. */
const NAMED_MAX = 3;

/** Says before a sweep what edge it could find at all. */
export function powerWords(power: readonly SearchPower[]): string {
  const named = power.slice(0, NAMED_MAX).map((one) => {
    const { tries, earlierTries, years, half, most } = one;
    const made = `${count(tries)} tries${earlierTries > 0 ? ` after ${count(earlierTries)} others` : ''}`;
    const found = `finds a true Sharpe ratio of ${half.toFixed(1)} in half of cases, of ${most.toFixed(1)} in nine of ten`;
    return `${datasetName(one)}, ${made} over ${years.toFixed(1)} years, ${found}`;
  });
  const more = power.length - named.length;
  return `what it can find at all: ${named.join('; ')}${more > 0 ? `; and ${count(more)} more` : ''} (annualized; for unrelated tries: related ones find smaller edges too)`;
}
