import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { openRuns } from '../../data/runs/index.js';
import { EngineError } from '../../engine/errors.js';
import {
  type Manifest,
  type OwnSignals,
  type Replay,
  readManifest,
  readResult,
  replay,
} from '../../research/backtest/index.js';
import { findPortfolioManifest, type PortfolioReplay, replayPortfolio } from '../../research/portfolio/index.js';
import type { Environment } from '../environment.js';
import { readJson } from '../inputs.js';
import { CheckFailed, print, printJson } from '../output.js';
import { readSignals, signalsHelp } from '../run-options.js';
import { openServices } from '../services.js';

export function addReplay(program: Command, environment: Environment): void {
  program
    .command('replay')
    .description('run a recorded backtest again and compare the result with the record')
    .argument('<run>', 'run id, or a JSON file of a run')
    .option('--signals <module...>', signalsHelp)
    .option('--json', 'print JSON')
    .action(async (run: string, { json, signals }: { json?: boolean; signals?: readonly string[] }) => {
      const { recorded, replayed } = await replayRecord(run, environment, await readSignals(signals));
      const { run_id } = recorded;
      if (json) printJson({ run_id, is_reproduced: replayed.isReproduced, changes: replayed.changes });
      else printReplay(run_id, replayed);
      if (!replayed.isReproduced) throw new CheckFailed('replay differs from the record');
    });
}

/** Replays the record of a backtest or of a portfolio. */
async function replayRecord(name: string, environment: Environment, own: OwnSignals | undefined) {
  const portfolio = await portfolioNamed(name, environment);
  if (portfolio === null) return replayNamed(name, environment, own);
  if (own !== undefined) {
    throw new EngineError('INVALID_FIELD', 'signals must be left out with a portfolio', { field: 'signals' });
  }
  return portfolio;
}

/** Runs a recorded portfolio again; null where the record is of anything else. */
async function portfolioNamed(name: string, environment: Environment) {
  const json = await recordNamed(name, environment);
  const recorded = findPortfolioManifest(json);
  if (recorded === null) return null;
  return { recorded, replayed: await replayPortfolio(recorded, openServices(environment), readResult(json)) };
}

/** The same for a comparison, which says where it came out differently. */
export async function replayedPortfolio(name: string, environment: Environment) {
  const found = await portfolioNamed(name, environment);
  if (found === null) return null;
  const { recorded, replayed } = found;
  const { run, changes } = replayed;
  const warnings =
    changes.length === 0 ? [] : [`${recorded.run_id} came out differently than recorded: ${changes.join('; ')}`];
  return { run, warnings };
}

async function recordNamed(run: string, environment: Environment): Promise<unknown> {
  const isFile = existsSync(run) || /[./\\]/.test(run);
  return isFile ? readJson(run, 'run') : openRuns(environment.home).load(run);
}

/** Replays a run that the user names by id or file, and compares all that the record holds. */
export async function replayNamed(
  run: string,
  environment: Environment,
  own?: OwnSignals,
): Promise<{ readonly recorded: Manifest; readonly replayed: Replay }> {
  const json = await recordNamed(run, environment);
  const recorded = readManifest(json, run);
  return { recorded, replayed: await replay(recorded, openServices(environment), undefined, readResult(json), own) };
}

function printReplay(runId: string, { isReproduced, changes, run }: Replay | PortfolioReplay): void {
  const { metrics } = run.result;
  if (isReproduced) print(`${runId}: reproduced byte for byte, ending balance ${metrics.ending_balance}`);
  else print(`${runId}: not reproduced, ending balance now ${metrics.ending_balance}`);
  for (const change of changes) print(`  ${change}`);
}
