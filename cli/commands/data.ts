import type { Command } from 'commander';
import { EngineError, formatInterval, isColumnName, isoTime, parseInterval } from '../../engine/index.js';
import type { Environment } from '../environment.js';
import { requireOption } from '../inputs.js';
import { count, plural, print, printJson, table } from '../output.js';
import { openStore } from '../services.js';
import { addDataColumns } from './data-columns.js';
import { dataFetch } from './data-fetch.js';

interface ImportOptions {
  readonly asset?: string;
  readonly interval?: string;
  readonly replace?: boolean;
  readonly exchange?: string;
  readonly licence?: string;
  readonly json?: boolean;
}

export function addData(program: Command, environment: Environment): void {
  const command = program.command('data').description('import, download, list and check stored bars and their columns');
  command
    .command('import')
    .description('check a CSV or Parquet file of bars and store it')
    .argument('<file>')
    .option('--asset <name>', 'asset, such as BTC')
    .option('--interval <length>', 'length of a bar, needed when their spacing leaves it open')
    .option('--replace', 'replace different stored bars of the same asset and interval')
    .option('--exchange <name>', 'exchange of the bars, stored with them')
    .option('--licence <text>', 'licence of the bars, stored with them')
    .option('--json', 'print JSON')
    .action((file: string, options: ImportOptions) => importFile(file, options, environment));
  command.addCommand(dataFetch(environment).copyInheritedSettings(command));
  addDataColumns(command, environment);
  command
    .command('list')
    .description('list the stored and bundled bars')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) => list(json === true, environment));
  command
    .command('check')
    .description('read every stored file and compare it with its catalogue entry')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) => check(json === true, environment));
}

async function importFile(file: string, options: ImportOptions, environment: Environment): Promise<void> {
  const { interval, replace, exchange, licence } = options;
  const asset = requireOption('--asset', options.asset);
  const intervalMs = interval === undefined ? undefined : parseInterval(interval);
  const imported = await openStore(environment).import(file, { asset, intervalMs, replace, exchange, licence });
  if (options.json) {
    printJson(imported);
    return;
  }
  const { entry, gaps, offGridBars, ignoredColumns, status } = imported;
  print(
    `${status} ${entry.asset} ${entry.interval}: ${plural(entry.bars, 'bar')}, ${entry.firstTime} to ${entry.lastTime}`,
  );
  for (const { firstMissing, lastMissing, bars } of gaps) {
    print(`  ${plural(bars, 'bar')} missing, ${isoTime(firstMissing)} to ${isoTime(lastMissing)}`);
  }
  if (entry.zeroVolumeBars > 0) print(`  ${plural(entry.zeroVolumeBars, 'bar')} without volume`);
  if (offGridBars > 0) print(`  ${plural(offGridBars, 'bar')} off the ${entry.interval} grid`);
  const further = entry.columns.filter(isColumnName);
  if (further.length > 0) print(`  further columns: ${further.join(', ')}`);
  if (ignoredColumns.length > 0) print(`  columns not read: ${ignoredColumns.join(', ')}`);
}

async function list(isJson: boolean, environment: Environment): Promise<void> {
  const entries = await openStore(environment).list();
  if (isJson) {
    printJson(entries);
    return;
  }
  const rows = entries.map((entry) => [
    entry.asset,
    formatInterval(entry.intervalMs),
    count(entry.bars),
    entry.firstTime.slice(0, 10),
    entry.lastTime.slice(0, 10),
    entry.gaps.missingBars > 0 ? `${count(entry.gaps.missingBars)} missing` : 'complete',
    entry.isSample ? 'bundled' : 'imported',
    entry.contentHash.slice(0, 12),
  ]);
  const header = ['asset', 'interval', 'bars', 'first', 'last', 'gaps', 'from', 'content'];
  for (const line of table([header, ...rows], ['left', 'left', 'right'])) print(line);
}

async function check(isJson: boolean, environment: Environment): Promise<void> {
  const checked = await openStore(environment).check();
  const broken = checked.filter(({ problems }) => problems.length > 0);
  if (isJson) printJson(checked);
  else {
    for (const { entry, problems } of checked) {
      print(`${entry.asset} ${entry.interval}: ${problems.length === 0 ? 'ok' : problems.join('; ')}`);
    }
  }
  if (broken.length > 0) {
    throw new EngineError(
      'INVALID_DATA',
      `${plural(broken.length, 'stored file')} of ${checked.length} failed the check`,
    );
  }
}
