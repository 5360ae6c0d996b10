import type { Command } from 'commander';
import { type AddedColumn, readSeries, type StoredColumn } from '../../data/columns/index.js';
import { EngineError, quote } from '../../engine/errors.js';
import { formatInterval, parseInterval } from '../../engine/series/index.js';
import type { Environment } from '../environment.js';
import { requireOption } from '../inputs.js';
import { count, headedTable, note, plural, print, printJson } from '../output.js';
import { openColumnStore, openStore } from '../services.js';

interface AddOptions {
  readonly asset?: string;
  readonly interval?: string;
  readonly column?: readonly string[];
  readonly time?: string;
  readonly published?: string;
  readonly period?: string;
  readonly replace?: boolean;
  readonly licence?: string;
  readonly json?: boolean;
}

const TIMES_HELP = `
A value counts from the close of the first bar that closes at or after its publication. Times of the
file are those of publication, unless --published names a column of such times, or --period says how
long a period is that begins at the time. Of several values for one time the first published stays.`;

export function addDataColumns(data: Command, environment: Environment): void {
  const command = data.command('columns').description('add, list and remove columns beside the bars of an asset');
  command
    .command('add')
    .description('join a CSV or Parquet series with times of its own to the bars of an asset, of any interval')
    .argument('<file>')
    .option('--asset <name>', 'asset, such as BTC')
    .option('--column <name=from...>', 'columns to add, and those of the file they come from (default: all numbers)')
    .option('--time <column>', 'column of the times (default: timestamp, time or date)')
    .option('--published <column>', 'column of the times at which values were published')
    .option('--period <length>', 'length of the period that begins at a time, such as 1d: published at its end')
    .option('--interval <length>', 'report on the bars of this interval only')
    .option('--replace', 'store these values instead of those held')
    .option('--licence <text>', 'licence of the values, stored with them')
    .option('--json', 'print JSON')
    .addHelpText('after', TIMES_HELP)
    .action((file: string, options: AddOptions) => add(file, options, environment));
  command
    .command('list')
    .description('list the added and bundled columns')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) => list(json === true, environment));
  command
    .command('remove')
    .description('remove an added column; a bundled one of that name shows again')
    .argument('<column>')
    .option('--asset <name>', 'asset, such as BTC')
    .option('--json', 'print JSON')
    .action((column: string, options: AddOptions) => remove(column, options, environment));
}

async function add(file: string, options: AddOptions, environment: Environment): Promise<void> {
  const asset = requireOption('--asset', options.asset);
  const { time, published, period, licence, replace, interval } = options;
  const intervalMs = interval === undefined ? undefined : parseInterval(interval);
  const { rows, gridMs } = await readSeries(file, {
    time,
    published,
    periodMs: period === undefined ? 0 : parseInterval(period, 'period'),
    columns: options.column === undefined ? undefined : readNames(options.column),
  });
  const store = openColumnStore(environment);
  const added: AddedColumn[] = [];
  for (const [column, values] of rows) {
    added.push(await store.add({ asset, column, rows: values, source: file, licence, replace }));
  }
  await reportAdded(added, options, environment, intervalMs);
  if (gridMs === null) return;
  const length = formatInterval(gridMs);
  note(`note: the times are taken as those of publication; if each begins a period, give --period ${length}`);
}

/** `NAME=FROM`, or `NAME` where the file has that name too. */
function readNames(given: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const text of given) {
    const [name = '', from = name] = text.split(/=(.*)/s, 2);
    if (name === '' || from === '') {
      throw new EngineError('INVALID_FIELD', `column must be NAME=FROM, was ${quote(text)}`, { field: 'column' });
    }
    if (names.has(name)) throw new EngineError('INVALID_FIELD', `column ${name} is given twice`, { field: 'column' });
    names.set(name, from);
  }
  return names;
}

interface Coverage {
  readonly interval: string;
  readonly bars: number;
  /** Bars with a value. */
  readonly known: number;
}

/** Prints what was added, and on how many of the stored bars it has a value. */
export async function reportAdded(
  added: readonly AddedColumn[],
  { json }: Pick<AddOptions, 'json'>,
  environment: Environment,
  intervalMs?: number,
): Promise<void> {
  const columns: (AddedColumn & { readonly coverage: readonly Coverage[] })[] = [];
  for (const one of added) columns.push({ ...one, coverage: await measureCoverage(one, environment, intervalMs) });
  if (json) {
    printJson({ columns });
    return;
  }
  for (const { status, entry, lateRows, emptyRows, coverage } of columns) {
    const { asset, column, values, firstTime, lastTime, revisions } = entry;
    print(`${status} ${column} of ${asset}: ${plural(values, 'value')}, published ${firstTime} to ${lastTime}`);
    if (revisions > 0) print(`  ${plural(revisions, 'value')} revised later; the first published one is kept`);
    if (lateRows > 0) print(`  ${plural(lateRows, 'value')} left out: a newer one was known when they were published`);
    if (emptyRows > 0) print(`  ${plural(emptyRows, 'row')} without a value`);
    for (const { interval, bars, known } of coverage) {
      print(`  ${interval}: ${count(known)} of ${plural(bars, 'bar')} have a value`);
    }
    if (coverage.length === 0) print(`  no bars of ${asset} are held yet`);
  }
}

async function measureCoverage(
  { entry: { asset, column } }: AddedColumn,
  environment: Environment,
  intervalMs: number | undefined,
): Promise<Coverage[]> {
  const store = openStore(environment);
  const held = (await store.list()).filter(
    (entry) => entry.asset === asset && (intervalMs === undefined || entry.intervalMs === intervalMs),
  );
  const coverage: Coverage[] = [];
  for (const { interval, intervalMs: length } of held) {
    const { bars } = await store.load({ asset, intervalMs: length, columns: [column] });
    const known = bars.columns[column]?.reduce((sum, value) => sum + Number(!Number.isNaN(value)), 0) ?? 0;
    coverage.push({ interval, bars: bars.barCount, known });
  }
  return coverage;
}

async function list(isJson: boolean, environment: Environment): Promise<void> {
  const entries = await openColumnStore(environment).list();
  if (isJson) {
    printJson(entries);
    return;
  }
  const row = (entry: StoredColumn) => [
    entry.asset,
    entry.column,
    count(entry.values),
    entry.firstTime.slice(0, 10),
    entry.lastTime.slice(0, 10),
    entry.revisions > 0 ? `${count(entry.revisions)} revised` : 'none revised',
    entry.isSample ? 'bundled' : 'added',
    entry.contentHash.slice(0, 12),
  ];
  const header = ['asset', 'column', 'values', 'first', 'last', 'revisions', 'from', 'content'];
  for (const line of headedTable([header, ...entries.map(row)], ['left', 'left', 'right'])) print(line);
}

async function remove(column: string, options: AddOptions, environment: Environment): Promise<void> {
  const asset = requireOption('--asset', options.asset);
  const entry = await openColumnStore(environment).remove(asset, column);
  if (options.json) printJson({ removed: entry });
  else print(`removed ${entry.column} of ${entry.asset}: ${plural(entry.values, 'value')}`);
}
