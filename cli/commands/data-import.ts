import { basename } from 'node:path';
import { Command, Option } from 'commander';
import {
  type BarStore,
  type ImportedBars,
  type ImportOptions,
  importChoices,
  type NamedFile,
  nameFiles,
} from '../../data/bars/index.js';
import { EngineError, quote } from '../../engine/errors.js';
import { isColumnName, isoTime, parseInterval } from '../../engine/series/index.js';
import type { Environment } from '../environment.js';
import { findFiles, requireOption } from '../inputs.js';
import { count, headedTable, note, plural, print, printJson } from '../output.js';
import { progress } from '../progress.js';
import { openStore } from '../services.js';

interface Options extends Omit<ImportOptions, 'asset' | 'intervalMs' | 'names' | 'withoutVolume'> {
  readonly asset?: string;
  readonly names?: string;
  readonly interval?: string;
  readonly column: readonly string[];
  /** False for `--no-volume`. */
  readonly volume: boolean;
  readonly json?: boolean;
}

const EXAMPLES = `
CSV files may have any separator, an index column, quotes, lines above the header, and rows without
prices, which are left out and counted. JSON, JSON lines, Parquet, Feather and Arrow files are read
too. Times without a zone are UTC, or of --timezone.

Examples:
  barline data import btc-1h.csv --asset BTC
  barline data import 'dumps/BTCUSDT-1m-*.csv' --asset BTC --append
  barline data import 'folder/*.csv' --names '{asset}USDT-{interval}.csv'
  barline data import eurusd.csv --asset EURUSD --dates DD/MM/YYYY --no-volume
  barline data import broker.csv --asset BTC --timezone America/New_York
  barline data import prices.csv --asset BTC --sort --dedupe --column close=Price --column volume="Volume BTC"`;

export function dataImport(environment: Environment): Command {
  const choice = (flags: string, text: string, choices: readonly string[]) => new Option(flags, text).choices(choices);
  return new Command('import')
    .description('check files of bars and store them as one series, or with --names each as a series of its own')
    .argument('<files...>', 'files, or patterns such as "BTC-*.csv"')
    .option('--asset <name>', 'asset, such as BTC')
    .option(
      '--names <pattern>',
      'store each file as a series of its own, named by the file: {asset} stands for the asset, {interval} for the length of a bar, * for anything',
    )
    .option('--interval <length>', 'length of a bar, needed when their spacing leaves it open')
    .option('--append', 'join the bars with those stored for the asset and interval')
    .addOption(choice('--overlap <which>', 'which bars stay where appended ones differ', importChoices.overlap))
    .option('--replace', 'replace different stored bars of the same asset and interval')
    .option('--sort', 'sort the rows by time')
    .option('--dedupe', 'leave out rows that repeat another')
    .addOption(choice('--keep <which>', 'which of several rows of a time stays when they differ', importChoices.keep))
    .addOption(
      choice(
        '--dates <order>',
        'order of dates that are not ISO 8601, or excel: days as a spreadsheet counts them',
        importChoices.dates,
      ),
    )
    .option('--timezone <zone>', 'zone of times that name none, such as America/New_York or +02:00 (default: UTC)')
    .addOption(choice('--decimal <mark>', 'decimal mark, where the first rows leave it open', importChoices.decimal))
    .option(
      '--column <what=name>',
      'name, or position from 1 on, of time, open, high, low, close or volume (repeatable)',
      collect,
      [],
    )
    .option('--symbol <name>', 'whose rows are read, where a column of symbols has several')
    .option('--asset-column <name>', 'store the rows of each symbol of this column as an asset of its own')
    .option('--no-volume', 'read bars without volume: 0 in every bar')
    .option('--exchange <name>', 'exchange of the bars, stored with them')
    .option('--licence <text>', 'licence of the bars, stored with them')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action((files: string[], options: Options) => importFiles(files, options, environment));
}

const collect = (value: string, before: readonly string[]): string[] => [...before, value];

async function importFiles(files: readonly string[], options: Options, environment: Environment): Promise<void> {
  const { interval, column, volume, json, names, ...rest } = options;
  const isEach = options.assetColumn !== undefined && options.symbol === undefined;
  if (isEach && options.asset !== undefined) {
    const rule = 'asset must be left out with asset-column, whose symbols name the assets, or come with symbol';
    throw new EngineError('INVALID_FIELD', `${rule}, was ${quote(options.asset)}`, { field: 'asset' });
  }
  if (names !== undefined) refuseBesideNames(names, options);
  const asset = isEach || names !== undefined ? '' : requireOption('--asset', options.asset);
  const intervalMs = interval === undefined ? undefined : parseInterval(interval);
  const paths = await findFiles(files);
  const choice = { ...rest, intervalMs, names: readNames(column), withoutVolume: !volume };
  const store = openStore(environment);
  if (names !== undefined) return importNamed(nameFiles(paths, names), choice, store, json === true);
  if (isEach) {
    const all = await store.importEach(paths, choice);
    if (json) printJson(all);
    else all.forEach(report);
    return;
  }
  const imported = await store.import(paths, { ...choice, asset });
  if (json) printJson(imported);
  else report(imported);
}

/** What names the asset otherwise, or an interval that the names have. */
function refuseBesideNames(pattern: string, { asset, symbol, assetColumn, interval }: Options): void {
  const others = { asset, symbol, 'asset-column': assetColumn };
  const isSaidTwice = interval !== undefined && pattern.includes('{interval}');
  const [field, value] = Object.entries({ ...others, ...(isSaidTwice && { interval }) }).find(
    ([, given]) => given !== undefined,
  ) ?? ['', undefined];
  if (value === undefined) return;
  const rule = `${field} must be left out with names, which say it`;
  throw new EngineError('INVALID_FIELD', `${rule}, was ${quote(value)}`, { field });
}

/** `close=Price`, by what the column is. */
function readNames(given: readonly string[]): NonNullable<ImportOptions['names']> {
  const names: Record<string, string> = {};
  for (const text of given) {
    const [, what = '', name = ''] = /^(\w+)=(.+)$/s.exec(text) ?? [];
    const column = importChoices.columns.find((each) => each === what || (what === 'time' && each === 'timestamp'));
    if (column === undefined) {
      const rule = `column must be ${importChoices.columns.join(', ')}, then = and a name or position in the file`;
      throw new EngineError('INVALID_FIELD', `${rule}, was ${quote(text)}`, { field: 'column' });
    }
    names[column] = name;
  }
  return names;
}

function report({ entry, gaps, offGridBars, ignoredColumns, leftOut, notes, status }: ImportedBars): void {
  const { asset, interval, bars, firstTime, lastTime, zeroVolumeBars, columns } = entry;
  print(`${status} ${asset} ${interval}: ${plural(bars, 'bar')}, ${firstTime} to ${lastTime}`);
  for (const gap of gaps) {
    print(`  ${plural(gap.bars, 'bar')} missing, ${isoTime(gap.firstMissing)} to ${isoTime(gap.lastMissing)}`);
  }
  const { headerLines, emptyRows, repeatedRows } = leftOut;
  if (headerLines > 0) print(`  ${plural(headerLines, 'line')} around the header not read`);
  if (emptyRows > 0) print(`  ${plural(emptyRows, 'row')} without prices left out`);
  if (repeatedRows > 0) print(`  ${plural(repeatedRows, 'repeated row')} left out`);
  if (zeroVolumeBars > 0) print(`  ${plural(zeroVolumeBars, 'bar')} without volume`);
  if (offGridBars > 0) print(`  ${plural(offGridBars, 'bar')} off the ${interval} grid`);
  for (const line of notes) print(`  ${line}`);
  const further = columns.filter(isColumnName);
  if (further.length > 0) print(`  further columns: ${further.join(', ')}`);
  if (ignoredColumns.length > 0) print(`  columns not read: ${ignoredColumns.filter(Boolean).join(', ')}`);
}

const EXIT_INTERRUPTED = 130;
/** Series with something to know about them that the summary lists. */
const REMARKS_MAX = 20;

interface Failure {
  readonly file: string;
  readonly asset: string;
  readonly error: string;
}

/**
 * Imports files one after the other, each as a series of its own. A series is stored whole or not at
 * all, and one that cannot be stored holds up no other; an interrupt waits for the series at hand.
 */
async function importNamed(
  files: readonly NamedFile[],
  choice: Omit<ImportOptions, 'asset'>,
  store: BarStore,
  isJson: boolean,
): Promise<void> {
  const imported: (ImportedBars & { readonly file: string })[] = [];
  const failed: Failure[] = [];
  const stop = stopOnInterrupt();
  const bar = progress(files.length, 'series');
  try {
    for (const { path, asset, intervalMs } of files) {
      if (stop.isAsked()) break;
      const file = basename(path);
      try {
        const options = { ...choice, asset, ...(intervalMs !== undefined && { intervalMs }) };
        imported.push({ file, ...(await store.import([path], options)) });
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        failed.push({ file, asset, error: error.message });
      }
      bar.step();
      await new Promise(setImmediate); // lets a signal through
    }
  } finally {
    bar.stop();
    stop.release();
  }
  const left = files.length - imported.length - failed.length;
  if (isJson) printJson({ imported, failed, left });
  else for (const line of importedLines(imported, failed)) print(line);
  if (left > 0) {
    note(`stopped: ${plural(left, 'file')} left; the same command goes on with them`);
    process.exitCode = EXIT_INTERRUPTED;
    return;
  }
  if (failed.length === 0) return;
  const [first] = failed as [Failure];
  const others = failed.length === 1 ? '' : ` (and ${failed.length - 1} more)`;
  throw new EngineError('INVALID_DATA', `not imported: ${first.file}: ${first.error}${others}`);
}

function importedLines(imported: readonly ImportedBars[], failed: readonly Failure[]): string[] {
  const by = (status: ImportedBars['status']): number => imported.filter((one) => one.status === status).length;
  const statuses = (['added', 'extended', 'replaced', 'unchanged'] as const)
    .filter((status) => by(status) > 0)
    .map((status) => `${count(by(status))} ${status}`);
  const bars = imported.reduce((sum, { entry }) => sum + entry.bars, 0);
  const lines = [`${count(imported.length)} series: ${statuses.join(', ') || 'none imported'}`];
  if (imported.length > 0) lines[0] += `; ${plural(bars, 'bar')}, ${spanText(imported)}`;
  const remarks = imported.flatMap(remarkRows);
  if (remarks.length > 0) {
    const header = ['series', 'missing', 'left out', 'no volume', 'off grid', 'notes'];
    lines.push(
      ...headedTable([header, ...remarks.slice(0, REMARKS_MAX)], ['left', 'right', 'right', 'right', 'right']),
    );
    if (remarks.length > REMARKS_MAX) {
      lines.push(`and ${count(remarks.length - REMARKS_MAX)} more series with something to know; --json lists all`);
    }
  }
  for (const { file, error } of failed.slice(0, REMARKS_MAX)) lines.push(`failed ${file}: ${error}`);
  if (failed.length > REMARKS_MAX)
    lines.push(`and ${count(failed.length - REMARKS_MAX)} more failed; --json lists all`);
  return lines;
}

function spanText(imported: readonly ImportedBars[]): string {
  const firsts = imported.map(({ entry }) => entry.firstTime).sort();
  const lasts = imported.map(({ entry }) => entry.lastTime).sort();
  const intervals = [...new Set(imported.map(({ entry }) => entry.interval))];
  return `${intervals.join(', ')}, ${firsts[0]} to ${lasts.at(-1)}`;
}

/** What to know about a series; nothing where its bars are as they should be. */
function remarkRows({ entry, leftOut, offGridBars, notes, ignoredColumns }: ImportedBars): string[][] {
  const { gaps, zeroVolumeBars } = entry;
  const left = leftOut.emptyRows + leftOut.repeatedRows;
  const ignored = ignoredColumns.filter(Boolean);
  const texts = [...notes, ...(ignored.length === 0 ? [] : [`columns not read: ${ignored.join(', ')}`])];
  const figures = [gaps.missingBars, left, zeroVolumeBars, offGridBars];
  if (figures.every((one) => one === 0) && texts.length === 0) return [];
  return [[`${entry.asset} ${entry.interval}`, ...figures.map(count), texts.join('; ')]];
}

/** The first Ctrl-C waits for the series at hand; the second ends at once. */
function stopOnInterrupt() {
  let isAsked = false;
  const interrupt = () => {
    if (isAsked) process.exit(EXIT_INTERRUPTED);
    isAsked = true;
    note('stopping once this series is stored; press Ctrl-C again to stop at once');
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return {
    isAsked: () => isAsked,
    release() {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', interrupt);
    },
  };
}
