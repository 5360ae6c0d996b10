import { amongRankable, bestFirst, mayLead, queryResults, type ResultTable, sweptNames } from '../data/sweeps/index.js';
import { betterOf, defaultRanking, EngineError, isRankingMetric, notRankable, type Ranking } from '../engine/index.js';
import { count, headedTable, plural, table, terminalWidth } from './output.js';

export const TOP_MAX = 10_000;
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
  /** The best runs, best first. */
  readonly best: ResultTable;
  /** Runs that traded, and those of them that may lead. */
  readonly traded: number;
  readonly eligible: number;
}

/**
 * The best runs of sweeps. Only runs that traded are ranked, and of a walk-forward sweep only those
 * of the newest training window.
 */
export async function rankRuns(folders: readonly string[], ranking: Ranking, top: number): Promise<RankedRuns> {
  const sweep = folders.length > 1 ? ['experiment_id'] : [];
  const swept = await sweptNames(folders);
  const figures = [...TOP_COLUMNS, ranking.by, ...TOP_METRICS];
  const shown = [...new Set([...sweep, ...figures, ...swept, 'entry_json', 'exit_json'])];
  // The counts apart: a filtered count in a window over all rows costs rows squared.
  const counts = `SELECT count(*) AS traded, count(*) FILTER (${mayLead(ranking)}) AS eligible FROM results`;
  const sql = `SELECT traded, eligible, ${shown.join(', ')} FROM results, (${counts})
    ORDER BY ${bestFirst(ranking)} LIMIT ${top}`;
  const { columns, rows } = await queryResults(folders, amongRankable(sql));
  const [traded, eligible] = (rows[0] ?? [0, 0]).map(Number) as [number, number];
  return { ranking, best: { columns: columns.slice(2), rows: rows.map((row) => row.slice(2)) }, traded, eligible };
}

/** The best runs for a terminal: what ranks them, the table, and notes about few trades. */
export function rankedLines({ ranking, best, traded, eligible }: RankedRuns, where = ''): string[] {
  if (traded === 0) return [`No run traded${where}, so there is nothing to rank.`];
  const { by, minTrades } = ranking;
  const trades = best.columns.indexOf('total_trades');
  const hasFew = (row: readonly unknown[]) => Number(row[trades]) < minTrades;
  const notes = [
    ...(best.rows.some(hasFew) ? [`* fewer than ${plural(minTrades, 'trade')}: such runs rank after all others`] : []),
    ...(eligible === 0 ? ['No run has that many, so the best of all that traded leads.'] : []),
  ];
  return [
    `The best ${count(best.rows.length)} of ${plural(traded, 'run')} that traded${where}, by ${by} (${betterOf(by)} is better); a leader needs ${plural(minTrades, 'trade')} or more (--min-trades)`,
    ...rankedTable(
      {
        ...best,
        rows: best.rows.map((row) => row.map((value, i) => (i === trades && hasFew(row) ? `${value}*` : value))),
      },
      by,
    ),
    ...notes,
  ];
}

export const recordsOf = ({ columns, rows }: ResultTable): Record<string, unknown>[] =>
  rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]])));

const isNumber = (value: unknown): value is number => typeof value === 'number';
const cell = (value: unknown): string =>
  isNumber(value) && !Number.isInteger(value) ? value.toPrecision(5) : String(value ?? '-');

/** Rules in short form: `sma_cross_up(5, 20)`. */
function shortRules(json: unknown): string {
  const rules = JSON.parse(String(json)) as { name: string; params: Record<string, unknown> }[];
  return rules.map(({ name, params }) => `${name}(${Object.values(params).join(', ')})`).join(' & ') || '-';
}

const isRules = (name: string): boolean => name === 'entry_json' || name === 'exit_json';

/** Rows for a terminal, with rules in short form. */
export function tableOf(result: ResultTable): string[] {
  const { rows, align } = cellsOf(result);
  return headedTable(rows, align);
}

/**
 * One table where the terminal is wide enough for it. If not, the rules follow in a second one,
 * which has the swept values too; they get columns of their own only where these fit.
 */
function rankedTable(result: ResultTable, by: string): string[] {
  const whole = linesOf(result);
  if (fits(whole)) return whole;
  const known = new Set(['experiment_id', ...TOP_COLUMNS, by, ...TOP_METRICS]);
  const figures = result.columns.filter((name) => known.has(name));
  const rules = result.columns.filter(isRules);
  const swept = result.columns.filter((name) => !known.has(name) && !isRules(name));
  const both = partOf(result, ['run_index', ...swept, ...rules]);
  const below = fits(linesOf(both)) ? both : partOf(result, ['run_index', ...rules]);
  return [...tableOf(partOf(result, figures)), '', ...tableOf(below)];
}

const fits = (lines: readonly string[]): boolean => lines.every(({ length }) => length <= terminalWidth());

function linesOf(result: ResultTable): string[] {
  const { rows, align } = cellsOf(result);
  return table(rows, align, Infinity);
}

/** Some columns of a table. */
function partOf({ columns, rows }: ResultTable, names: readonly string[]): ResultTable {
  const places = names.map((name) => columns.indexOf(name));
  return { columns: names, rows: rows.map((row) => places.map((place) => row[place])) };
}

function cellsOf({ columns, rows }: ResultTable) {
  const header = columns.map((name) => (isRules(name) ? name.replace('_json', '') : name));
  // biome-ignore lint/style/noNonNullAssertion: each row has one value per column
  const body = rows.map((row) => row.map((value, i) => (isRules(columns[i]!) ? shortRules(value) : cell(value))));
  const isRight = (name: string, i: number) => name === 'total_trades' || rows.some((row) => isNumber(row[i]));
  const align = columns.map((name, i) => (isRight(name, i) ? ('right' as const) : ('left' as const)));
  return { rows: [header, ...body], align };
}
