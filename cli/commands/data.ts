import type { Command } from 'commander';
import { EngineError, formatInterval } from '../../engine/index.js';
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
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) => list(json === true, environment));
  command
    .command('check')
    .description('read every stored file and compare it with its catalogue entry')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) => check(json === true, environment));
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
    count(entry.gaps.missingBars),
    entry.isSample ? 'bundled' : 'imported',
    entry.contentHash.slice(0, 8),
  ]);
  const header = ['asset', 'interval', 'bars', 'first', 'last', 'missing', 'from', 'content'];
  for (const line of headedTable([header, ...rows], ['left', 'left', 'right', 'left', 'left', 'right'])) print(line);
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
