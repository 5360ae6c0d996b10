import { resolve } from 'node:path';
import type { Command } from 'commander';
import { listSweeps, queryResults, variedColumns } from '../../data/sweeps/index.js';
import { EngineError } from '../../engine/errors.js';
import { MIN_TRADES, MIN_TRADES_MAX } from '../../engine/sweep/index.js';
import { commandFor, findDefinition } from '../../research/sweep/index.js';
import { definitionText, withDefinitions } from '../definition-file.js';
import type { Environment } from '../environment.js';
import { parseWhole } from '../inputs.js';
import { note, print, printJson } from '../output.js';
import {
  rankedLines,
  rankedRecords,
  rankRuns,
  readRanking,
  TOP_MAX,
  tableLines,
  toRecords,
  withShortRules,
} from '../sweep-view.js';

interface Options {
  readonly by?: string;
  readonly minTrades?: number;
  readonly top: number;
  readonly sweep?: string;
  readonly definition?: string;
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
    .option(
      '--definition <run>',
      'print the strategy or portfolio of a run, by its number in a sweep or its config_hash, as a file to run',
    )
    .option('--sweep <folder>', 'query this sweep only (default: all sweeps in the home folder)')
    .option('--json', 'print JSON')
    .action(async (words: string[], options: Options) => {
      const { sweep, json, by, top, definition } = options;
      const asked = [words.length > 0, by !== undefined, definition !== undefined].filter(Boolean).length;
      if (asked !== 1) {
        const code = asked === 0 ? 'MISSING_FIELD' : 'INVALID_FIELD';
        throw new EngineError(
          code,
          'give either a query or --by, a metric that ranks the runs, or --definition, a run',
        );
      }
      const folders = sweep === undefined ? await listSweeps(environment.home) : [resolve(sweep)];
      if (definition !== undefined) {
        const found = await findDefinition(folders, definition);
        if (json) printJson(found);
        else process.stdout.write(definitionText(found));
        note(`to repeat the run from a file of it: ${commandFor(found, 'FILE')}`);
        return;
      }
      if (by === undefined) {
        const result = await queryResults(folders, words.join(' '));
        if (json) printJson(toRecords(result));
        else for (const line of tableLines(withShortRules(result), await variedColumns(folders))) print(line);
        return;
      }
      const ranked = await rankRuns(folders, readRanking(options), top);
      if (json) printJson(await withDefinitions(folders, rankedRecords(ranked)));
      else for (const line of rankedLines(ranked)) print(line);
    });
}
