import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { makeFolder } from '../../data/files.js';
import { errorMessage } from '../../engine/errors.js';
import { type RunningService, runService, type ServicePart, serviceParts } from '../../server/index.js';
import { announceService, workbenchLine } from '../announce.js';
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
      await runService(environment, await environment.readServiceConfig(), only, (service) =>
        announce(service, environment.home),
      );
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

async function announce(service: RunningService, home: string): Promise<void> {
  // An output other than a terminal is often a log, where a token has no place.
  const page = process.stderr.isTTY ? await workbenchLine(service) : pageWithoutToken(service);
  announceService(service, [...page, ...(await keyLines(service, home))]);
}

const pageWithoutToken = ({ origin }: RunningService): string[] =>
  origin === null ? [] : [`page   ${origin}; barline workbench prints an address that signs in`];

async function keyLines({ origin, firstKey }: RunningService, home: string): Promise<string[]> {
  if (firstKey !== null) {
    const where = process.stderr.isTTY ? firstKey : await keptKey(firstKey, home);
    return [
      `key    ${where}`,
      '       created at this first start and shown only once; `barline keys create` makes more',
    ];
  }
  if (origin === null) return [];
  const { pathOfMethod } = await import('../../http/index.js'); // the service has loaded it by now
  const [login, keys] = [pathOfMethod('Auth.Login'), pathOfMethod('Auth.CreateApiKey')];
  return [`keys   POST ${origin}${login} with an ID token, then POST ${origin}${keys}`];
}

/**
 * Writes the key into a file that only its owner can read: an output other than a terminal is often
 * a log.
 */
async function keptKey(key: string, home: string): Promise<string> {
  const file = join(home, 'first-key');
  try {
    await makeFolder(home);
    await rm(file, { force: true });
    await writeFile(file, `${key}\n`, { mode: 0o600, flag: 'wx' });
    return `in ${file}: move it to a safe place`;
  } catch (error) {
    return `could not be written to ${file}: ${errorMessage(error)}`;
  }
}
