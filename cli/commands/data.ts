import type { Command } from 'commander';
import { normaliseAsset, type StoredBars } from '../../data/bars/index.js';
import { EngineError } from '../../engine/errors.js';
import { formatInterval } from '../../engine/series/index.js';
import type { Environment } from '../environment.js';
import { count, headedTable, plural, print, printJson } from '../output.js';
import { openStore } from '../services.js';
import { addDataColumns } from './data-columns.js';
import { dataFetch } from './data-fetch.js';
import { dataImport } from './data-import.js';

export function addData(program: Command, environment: Environment): void {
  const command = program.command('data').description('import, download, list and check stored bars and their columns');
  command.addCommand(dataImport(environment).copyInheritedSettings(command));
  command.addCommand(dataFetch(environment).copyInheritedSettings(command));
  addDataColumns(command, environment);
  command
    .command('list')
    .description('list the stored and bundled bars')
    .argument('[assets...]', 'only these assets')
    .option('--all', `each series, also if there are more than ${LISTED_MAX}`)
    .option('--json', 'print JSON')
    .action((assets: string[], options: ListOptions) => list(assets, options, environment));
  command
    .command('check')
    .description('read every stored file and compare it with its catalogue entry')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) => check(json === true, environment));
}

interface ListOptions {
  readonly all?: boolean;
  readonly json?: boolean;
}

/** More series are counted by interval. */
const LISTED_MAX = 40;

async function list(assets: readonly string[], { all, json }: ListOptions, environment: Environment): Promise<void> {
  const held = await openStore(environment).list();
  const names = assets.map(normaliseAsset);
  const missing = names.find((name) => !held.some(({ asset }) => asset === name));
  if (missing !== undefined) throw new EngineError('NOT_FOUND', `no bars of ${missing} are held`, { field: 'assets' });
  const entries = names.length === 0 ? held : held.filter(({ asset }) => names.includes(asset));
  if (json) printJson(entries);
  else if (entries.length > LISTED_MAX && all !== true) for (const line of countedLines(entries)) print(line);
  else for (const line of listedLines(entries)) print(line);
}

/** The series of each interval together, and the assets. */
function countedLines(entries: readonly StoredBars[]): string[] {
  const intervals = [...new Set(entries.map(({ intervalMs }) => intervalMs))].sort((a, b) => a - b);
  const rows = intervals.map((intervalMs) => {
    const same = entries.filter((entry) => entry.intervalMs === intervalMs);
    const sum = (of: (entry: StoredBars) => number): number => same.reduce((total, entry) => total + of(entry), 0);
    const imported = same.filter(({ isSample }) => !isSample).length;
    return [
      formatInterval(intervalMs),
      count(same.length),
      count(sum(({ bars }) => bars)),
      same.map(({ firstTime }) => firstTime.slice(0, 10)).sort()[0] ?? '',
      same
        .map(({ lastTime }) => lastTime.slice(0, 10))
        .sort()
        .at(-1) ?? '',
      count(sum(({ gaps }) => gaps.missingBars)),
      count(imported),
    ];
  });
  const header = ['interval', 'series', 'bars', 'first', 'last', 'missing', 'imported'];
  const assets = [...new Set(entries.map(({ asset }) => asset))];
  return [
    ...headedTable([header, ...rows], ['left', 'right', 'right', 'left', 'left', 'right', 'right']),
    '',
    `${count(assets.length)} assets: ${assets.join(', ')}`,
    'barline data list ASSET... lists the series of some, --all each of them',
  ];
}

function listedLines(entries: readonly StoredBars[]): string[] {
  const rows = entries.map((entry) => [
    entry.asset,
    formatInterval(entry.intervalMs),
    count(entry.bars),
    entry.firstTime.slice(0, 10),
    entry.lastTime.slice(0, 10),
    count(entry.gaps.missingBars),
    entry.isSample ? 'bundled' : 'imported',
    entry.contentHash.slice(0, 8),
  ]);
  const header = ['asset', 'interval', 'bars', 'first', 'last', 'missing', 'from', 'content'];
  return headedTable([header, ...rows], ['left', 'left', 'right', 'left', 'left', 'right']);
}

async function check(isJson: boolean, environment: Environment): Promise<void> {
  const checked = await openStore(environment).check();
  const broken = checked.filter(({ problems }) => problems.length > 0);
  if (isJson) printJson(checked);
  else {
    const isMany = checked.length > LISTED_MAX;
    if (isMany) print(`${plural(checked.length - broken.length, 'stored file')} of ${checked.length} ok`);
    for (const { entry, problems } of isMany ? broken : checked) {
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
