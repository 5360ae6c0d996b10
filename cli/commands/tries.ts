import type { Command } from 'commander';
import { openTries } from '../../data/tries/index.js';
import { expectedMaxNormal } from '../../engine/statistics/index.js';
import type { Environment } from '../environment.js';
import { count, headedTable, print, printJson } from '../output.js';

export function addTries(program: Command, environment: Environment): void {
  program
    .command('tries')
    .description('count the configurations that sweeps ever tried on each asset, each once')
    .option('--json', 'print JSON')
    .action(async ({ json }: { readonly json?: boolean }) => {
      const listed = (await openTries(environment.home).list()).map(({ asset, tries, sameBarsAs }) => ({
        asset,
        tries,
        ...(sameBarsAs && { same_bars_as: sameBarsAs }),
        lucky_sharpe_of_a_year: expectedMaxNormal(tries),
      }));
      if (json) {
        printJson(listed);
        return;
      }
      const header = ['asset', 'tries', 'best Sharpe ratio by luck on a year of bars, if they were unrelated'];
      const assetNames = ({ asset, same_bars_as: others = [] }: (typeof listed)[number]) =>
        others.length === 0 ? asset : `${asset} (the bars of ${others.join(', ')})`;
      const rows = listed.map((one) => [assetNames(one), count(one.tries), one.lucky_sharpe_of_a_year.toFixed(2)]);
      if (rows.length === 0) print('no sweep has tried anything');
      else for (const line of headedTable([header, ...rows], ['left', 'right', 'right'])) print(line);
    });
}
