import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { openBars } from '../../data/bars/index.js';
import { makeFolder } from '../../data/files.js';
import {
  readRecordedQuotes,
  readRecordedSeries,
  readRecordedTrades,
  recordedSeriesNames,
} from '../../data/recordings/index.js';
import { CcxtTrades, openHeldTrades } from '../../data/upstreams/trades/index.js';
import { EngineError, errorMessage } from '../../engine/errors.js';
import { allocateColumns } from '../../engine/series/index.js';
import type { LiveProvider, ServiceConfig } from '../../server/index.js';
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

const CHECK_MS_MAX = 5_000;

const recordingsIn = (packageRoot: string): string => join(packageRoot, 'sample/recordings');

/** Reads every bundled recording. */
async function checkRecordings({ home, packageRoot }: Environment): Promise<string> {
  const folder = recordingsIn(packageRoot);
  for (const name of recordedSeriesNames) await readRecordedSeries(folder, name);
  const markets = openHeldTrades(folder).instruments.map((instrument) => instrument.replace(/\/.*/, ''));
  for (const market of markets) {
    await readRecordedTrades(folder, market);
    await readRecordedQuotes(folder, market);
  }
  const [bars] = await openBars({ home: join(home, 'none'), sampleDir: folder }).check();
  if (bars === undefined || bars.problems.length > 0) throw new Error(bars?.problems.join('; ') ?? 'no minute bars');
  return `${recordedSeriesNames.length} series, trades and quotes of ${markets.join(' and ')}, minute bars`;
}

/**
 * The state of a provider in words; with `isChecked`, a provider that is on is called too.
 * @throws Error when it does not answer
 */
async function describeProvider(
  provider: LiveProvider,
  config: ServiceConfig,
  { packageRoot }: Environment,
  isChecked: boolean,
): Promise<string> {
  const { gives, endpoints, switchedBy, isOn, hasKey, origin } = provider;
  const what = `${gives} (${endpoints})`;
  const instead = endpoints === '/ai-copilot' ? 'its documented form' : 'recorded or generated data';
  if (!isOn) return `${what}: off, ${instead} answers; ${switchedBy} switches it on`;
  const state = `${what}: live, ${origin ?? 'through ccxt'}${hasKey ? ', key set' : ', without a key'}`;
  if (!isChecked) return state;
  const startMs = performance.now();
  const answer = await (provider.endpoints === '/marketdata' ? trade(config, packageRoot) : reached(origin ?? ''));
  return `${state}; ${answer} after ${(performance.now() - startMs).toFixed(0)} ms`;
}

/** Any HTTP answer shows that the address is right. No key is sent. */
async function reached(origin: string): Promise<string> {
  const response = await fetch(origin, { redirect: 'manual', signal: AbortSignal.timeout(CHECK_MS_MAX) }).catch(() => {
    throw new Error(`${origin} does not answer`);
  });
  await response.body?.cancel();
  return `HTTP ${response.status}`;
}

async function trade(config: ServiceConfig, packageRoot: string): Promise<string> {
  const trades = new CcxtTrades({
    exchange: config.BARLINE_TRADES_EXCHANGE ?? '',
    apiUrl: config.BARLINE_TRADES_URL,
    recorded: openHeldTrades(recordingsIn(packageRoot)),
  });
  const { value } = await trades.latestTrade({ base: 'BTC', quote: 'USDT' });
  return value === null ? 'no market BTC/USDT' : 'a trade of BTC/USDT';
}
