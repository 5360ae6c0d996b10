import { resolve } from 'node:path';
import type { Command } from 'commander';
import { listSweeps, queryResults } from '../../data/sweeps/index.js';
import type { Environment } from '../environment.js';
import { print, printJson } from '../output.js';
import { tableOf } from '../sweep-view.js';

export function addResults(program: Command, environment: Environment): void {
  program
    .command('results')
    .description('query the rows of sweeps with SQL; the table is `results`')
    .argument('<query...>', 'SELECT statement')
    .option('--sweep <folder>', 'query this sweep only (default: all sweeps in the home folder)')
    .option('--json', 'print JSON')
    .action(async (words: string[], { sweep, json }: { sweep?: string; json?: boolean }) => {
      const folders = sweep === undefined ? await listSweeps(environment.home) : [resolve(sweep)];
      const result = await queryResults(folders, words.join(' '));
      if (json)
        printJson(result.rows.map((row) => Object.fromEntries(result.columns.map((name, i) => [name, row[i]]))));
      else for (const line of tableOf(result)) print(line);
    });
}
