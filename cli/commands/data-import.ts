import { Command, Option } from 'commander';
import { type ImportedBars, type ImportOptions, importChoices, nameFiles } from '../../data/bars/index.js';
import { EngineError, quote } from '../../engine/errors.js';
import { isColumnName, isoTime, parseInterval } from '../../engine/series/index.js';
import type { Environment } from '../environment.js';
import { importNamed } from '../import-named.js';
import { findFiles, requireOption } from '../inputs.js';
import { plural, print, printJson } from '../output.js';
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
