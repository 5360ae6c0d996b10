import { type Command, Option } from 'commander';
import type { Environment } from '../environment.js';
import { note } from '../output.js';
import { redacted } from '../serve/config.js';
import { createObserver } from '../serve/observe.js';
import { type RunningService, type ServicePart, serviceParts, startService } from '../serve/start.js';

export function addServe(program: Command, environment: Environment): void {
  program
    .command('serve')
    .description(
      'start the service: gRPC, REST and workers in one process, on the embedded store unless DATABASE_URL is set',
    )
    .addOption(
      new Option('--only <part>', 'run one part of it; the parts then meet in DATABASE_URL').choices(serviceParts),
    )
    .action(({ only }: { only?: ServicePart }) => serve(environment, only === undefined ? serviceParts : [only]));
}

async function serve(environment: Environment, parts: readonly ServicePart[]): Promise<void> {
  const config = await environment.readServiceConfig();
  const observer = createObserver(config.BARLINE_LOG_LEVEL, environment.version);
  observer.log.info({ settings: redacted(config), parts }, 'starting');
  const { version, packageRoot } = environment;
  const service = await startService({ config, version, packageRoot, observer, parts });
  announce(service);
  const signal = await firstSignal();
  observer.log.info({ signal }, 'stopping');
  await service.stop();
  observer.log.info('stopped');
}

/** For people, beside the log on standard output. The last line says that everything is up. */
function announce({ origin, rpcAddress, firstKey }: RunningService): void {
  if (origin !== null) note(`REST   ${origin}/api/v1   docs ${origin}/docs`);
  if (rpcAddress !== null) note(`gRPC   ${rpcAddress}`);
  if (firstKey !== null) {
    note(`key    ${firstKey}`);
    note('       made for this first start and shown only now; `barline key` makes others while the server is stopped');
  } else if (origin !== null) {
    note(`keys   POST ${origin}/api/v1/auth/login with an ID token, then POST ${origin}/api/v1/auth/api-keys`);
  }
  note('ready  Ctrl-C stops it');
}

/** A second signal ends the process at once, as it would without a listener. */
const firstSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
