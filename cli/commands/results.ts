import { resolve } from 'node:path';
import type { Command } from 'commander';
import { listSweeps, queryResults } from '../../data/sweeps/index.js';
import { EngineError, MIN_TRADES, MIN_TRADES_MAX } from '../../engine/index.js';
import type { Environment } from '../environment.js';
import { parseWhole } from '../inputs.js';
import { print, printJson } from '../output.js';
import { rankedLines, rankedRecords, rankRuns, readRanking, recordsOf, TOP_MAX, tableOf } from '../sweep-view.js';

interface Options {
  readonly by?: string;
  readonly minTrades?: number;
  readonly top: number;
  readonly sweep?: string;
  readonly json?: boolean;
}

export function addResults(program: Command, environment: Environment): void {
  program
    .command('results')
    .description('query the rows of sweeps with SQL, where the table is `results`, or rank their runs')
    .argument('[query...]', 'SELECT statement; not with --by')
    .option('--by <metric>', 'rank the runs that traded by a metric, best first; newest training windows only')
    .option('--top <n>', 'number of ranked runs to print', (text) => parseWhole(text, 'top', 1, TOP_MAX), 10)
    .option(
      '--min-trades <n>',
      `trades that a leader needs (default: ${MIN_TRADES}); runs with fewer rank last and are marked *`,
      (text) => parseWhole(text, 'min-trades', 0, MIN_TRADES_MAX),
    )
    .option('--sweep <folder>', 'query this sweep only (default: all sweeps in the home folder)')
    .option('--json', 'print JSON')
    .action(async (words: string[], options: Options) => {
      const { sweep, json, by, top } = options;
      if ((words.length === 0) === (by === undefined)) {
        const code = by === undefined ? 'MISSING_FIELD' : 'INVALID_FIELD';
        throw new EngineError(code, 'give either a query or --by, a metric that ranks the runs');
      }
      const folders = sweep === undefined ? await listSweeps(environment.home) : [resolve(sweep)];
      if (by === undefined) {
        const result = await queryResults(folders, words.join(' '));
        if (json) printJson(recordsOf(result));
        else for (const line of tableOf(result)) print(line);
        return;
      }
      const ranked = await rankRuns(folders, readRanking(options), top);
      if (json) printJson(rankedRecords(ranked));
      else for (const line of rankedLines(ranked)) print(line);
    });
}
