import { type Command, Option } from 'commander';
import { pathOfMethod } from '../../http/index.js';
import { type RunningService, runService, type ServicePart, serviceParts } from '../../server/index.js';
import { announceService } from '../announce.js';
import type { Environment } from '../environment.js';

export function addServe(program: Command, environment: Environment): void {
  program
    .command('serve')
    .description(
      'start the service: gRPC, REST and workers in one process, on the embedded store unless DATABASE_URL is set',
    )
    .addOption(
      new Option('--only <part...>', 'run some parts of it; the parts then meet in DATABASE_URL').choices(serviceParts),
    )
    .action(async ({ only = serviceParts }: { only?: readonly ServicePart[] }) => {
      await runService(environment, await environment.readServiceConfig(), only, announce);
    });
}

export function addWorker(program: Command, environment: Environment): void {
  program
    .command('worker')
    .description('run submitted backtests and experiments; any number of workers, on any hosts, meet in DATABASE_URL')
    .action(async () => {
      await runService(environment, await environment.readServiceConfig(), ['worker'], announceService);
    });
}

function announce(service: RunningService): void {
  announceService(service, keyLines(service));
}

function keyLines({ origin, firstKey }: RunningService): string[] {
  if (firstKey !== null) {
    return [
      `key    ${firstKey}`,
      '       made for this first start and shown only now; `barline key` makes others while the server is stopped',
    ];
  }
  const [login, keys] = [pathOfMethod('Auth.Login'), pathOfMethod('Auth.CreateApiKey')];
  return origin === null ? [] : [`keys   POST ${origin}${login} with an ID token, then POST ${origin}${keys}`];
}
