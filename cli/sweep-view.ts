import type { ResultTable } from '../data/sweeps/index.js';
import { table } from './output.js';

const TOP_COLUMNS = ['run_index', 'asset', 'timeframe', 'status', 'total_trades'];

/** Query for the best runs by a metric. */
export const topQuery = (by: string, top: number): string => {
  const shown = [...new Set([...TOP_COLUMNS, by, 'sharpe_ratio', 'total_return', 'max_drawdown', 'win_rate'])];
  return `SELECT ${shown.join(', ')}, entry_json, exit_json FROM results ORDER BY ${by} DESC NULLS LAST, run_index LIMIT ${top}`;
};

const isNumber = (value: unknown): value is number => typeof value === 'number';
const cell = (value: unknown): string =>
  isNumber(value) && !Number.isInteger(value) ? value.toPrecision(5) : String(value ?? '-');

/** Rules in short form: `sma_cross_up(5, 20)`. */
function shortRules(json: unknown): string {
  const rules = JSON.parse(String(json)) as { name: string; params: Record<string, unknown> }[];
  return rules.map(({ name, params }) => `${name}(${Object.values(params).join(', ')})`).join(' & ') || '-';
}

/** Renders rows for a terminal, with rules in short form. */
export function tableOf({ columns, rows }: ResultTable): string[] {
  const isRules = (name: string) => name === 'entry_json' || name === 'exit_json';
  const header = columns.map((name) => (isRules(name) ? name.replace('_json', '') : name));
  // biome-ignore lint/style/noNonNullAssertion: each row has one value per column
  const body = rows.map((row) => row.map((value, i) => (isRules(columns[i]!) ? shortRules(value) : cell(value))));
  const align = columns.map((_, i) => (rows.some((row) => isNumber(row[i])) ? ('right' as const) : ('left' as const)));
  return table([header, ...body], align);
}

/** `exp_20240131T235959123456Z`: UTC to the microsecond, so that ids sort by time. */
export function newExperimentId(): string {
  const micros = Math.floor((performance.timeOrigin + performance.now()) * 1_000);
  const digits = new Date(Math.floor(micros / 1_000)).toISOString().replace(/[-:.]/g, '').slice(0, -4);
  return `exp_${digits}${String(micros % 1_000_000).padStart(6, '0')}Z`;
}
