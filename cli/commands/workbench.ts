import type { Command } from 'commander';
import { runningWorkbench, runService, serviceParts } from '../../server/index.js';
import { announceService, workbenchLine } from '../announce.js';
import type { Environment } from '../environment.js';
import { note, print } from '../output.js';

export function addWorkbench(program: Command, environment: Environment): void {
  program
    .command('workbench')
    .description('print the address of the workbench, a page to work in; starts the service where none runs')
    .action(async () => {
      const config = await environment.readServiceConfig();
      const running = await runningWorkbench(config);
      if (running !== null) {
        note('the service of this home runs already; the address signs one browser in, within an hour');
        return print(running);
      }
      await runService(environment, config, serviceParts, async (service) =>
        announceService(service, await workbenchLine(service)),
      );
    });
}
