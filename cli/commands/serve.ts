import { type Command, Option } from 'commander';
import { type RunningService, runService, type ServicePart, serviceParts } from '../../server/index.js';
import { announceService } from '../announce.js';
import type { Environment } from '../environment.js';

export function addServe(program: Command, environment: Environment): void {
  program
    .command('serve')
    .description('start the service: gRPC, REST and workers in one process; embedded store unless DATABASE_URL is set')
    .addOption(
      new Option('--only <part...>', 'run only these parts; DATABASE_URL then connects the parts').choices(
        serviceParts,
      ),
    )
    .action(async ({ only = serviceParts }: { only?: readonly ServicePart[] }) => {
      await runService(environment, await environment.readServiceConfig(), only, announce);
    });
}

export function addWorker(program: Command, environment: Environment): void {
  program
    .command('worker')
    .description('run submitted backtests and experiments; workers on any number of hosts share DATABASE_URL')
    .action(async () => {
      await runService(environment, await environment.readServiceConfig(), ['worker'], announceService);
    });
}

async function announce(service: RunningService): Promise<void> {
  announceService(service, await keyLines(service));
}

async function keyLines({ origin, firstKey }: RunningService): Promise<string[]> {
  if (firstKey !== null) {
    return [
      `key    ${firstKey}`,
      '       created at this first start and shown only once; `barline keys create` makes more',
    ];
  }
  if (origin === null) return [];
  const { pathOfMethod } = await import('../../http/index.js'); // the service has loaded it by now
  const [login, keys] = [pathOfMethod('Auth.Login'), pathOfMethod('Auth.CreateApiKey')];
  return [`keys   POST ${origin}${login} with an ID token, then POST ${origin}${keys}`];
}
