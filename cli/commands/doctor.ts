import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { makeFolder } from '../../data/files.js';
import { EngineError, errorMessage } from '../../engine/errors.js';
import { allocateColumns } from '../../engine/series/index.js';
import { checkRecordings, describeProvider } from '../doctor-providers.js';
import type { Environment } from '../environment.js';
import { plural, print, printJson } from '../output.js';
import { openStore } from '../services.js';

interface Finding {
  readonly check: string;
  readonly isOk: boolean;
  readonly detail: string;
}

/** Problems of stored files that are told here. */
const PROBLEMS_MAX = 5;

const NODE_MIN = [20, 20] as const;

export function addDoctor(program: Command, environment: Environment): void {
  program
    .command('doctor')
    .description(
      'check this machine, the installation, DATABASE_URL and REDIS_URL, and list the providers of live data',
    )
    .option('--check', 'call each provider of live data that is switched on')
    .option('--json', 'print JSON')
    .action(async ({ check: isChecked = false, json }: { check?: boolean; json?: boolean }) => {
      const findings: Finding[] = [];
      for (const [check, probe] of [...probes(environment), ...(await settingProbes(environment, isChecked))]) {
        findings.push(await examine(check, probe));
      }
      if (json) printJson(findings);
      else for (const { check, isOk, detail } of findings) print(`${isOk ? 'ok  ' : 'FAIL'} ${check}: ${detail}`);
      const failed = findings.filter(({ isOk }) => !isOk).length;
      if (failed > 0) throw new EngineError('INVALID_DATA', `${plural(failed, 'check')} failed`);
    });
}

type Probe = readonly [check: string, probe: () => string | Promise<string>];

/** Each probe returns a detail, or throws an error that names the problem. */
function probes(environment: Environment): Probe[] {
  return [
    ['barline', () => `version ${environment.version}`],
    ['node', checkNode],
    ['threads', () => plural(availableParallelism(), 'core')],
    // biome-ignore lint/style/noNonNullAssertion: the call allocates one column
    ['shared memory', () => `columns in ${allocateColumns(1, 1_024)[0]!.buffer.constructor.name}`],
    ['home', () => checkHome(environment.home)],
    ['bars', () => checkBars(environment)],
    ['recordings', () => checkRecordings(environment)],
  ];
}

/**
 * One probe for each server and each provider of live data; a single one that fails if the settings
 * are wrong.
 */
async function settingProbes(environment: Environment, isChecked: boolean): Promise<Probe[]> {
  try {
    const config = await environment.readServiceConfig();
    const { liveProviders, listServers } = await import('../../server/index.js');
    const providers = liveProviders(config).map(
      (provider): Probe => [
        `provider ${provider.name}`,
        () => describeProvider(provider, config, environment, isChecked),
      ],
    );
    return [...listServers(config), ...providers];
  } catch (error) {
    return [['settings', () => Promise.reject(error)]];
  }
}

async function examine(check: string, probe: () => string | Promise<string>): Promise<Finding> {
  try {
    return { check, isOk: true, detail: await probe() };
  } catch (error) {
    return { check, isOk: false, detail: errorMessage(error) };
  }
}

function checkNode(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNew = major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1]);
  if (!isNew) throw new Error(`needs Node ${NODE_MIN.join('.')} or newer, was ${process.versions.node}`);
  return process.versions.node;
}

async function checkHome(home: string): Promise<string> {
  await makeFolder(home);
  await access(home, constants.R_OK | constants.W_OK);
  return `${home} is writable`;
}

async function checkBars(environment: Environment): Promise<string> {
  const checked = await openStore(environment).check();
  const problems = checked.flatMap((entry) => entry.problems);
  if (problems.length > 0) {
    const more =
      problems.length > PROBLEMS_MAX ? `; and ${problems.length - PROBLEMS_MAX} more, see barline data check` : '';
    throw new Error(`${problems.slice(0, PROBLEMS_MAX).join('; ')}${more}`);
  }
  return `${plural(checked.length, 'stored file')} read and verified`;
}
