import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { openRuns } from '../../data/runs/index.js';
import {
  type Manifest,
  type OwnSignals,
  type Replay,
  readManifest,
  readResult,
  replay,
} from '../../research/backtest/index.js';
import { portfolioManifestOf, replayPortfolio } from '../../research/portfolio/index.js';
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
      const { recorded, replayed } = await replayNamed(run, environment, await readSignals(signals));
      if (json) printJson({ run_id: recorded.run_id, is_reproduced: replayed.isReproduced, changes: replayed.changes });
      else printReplay(recorded, replayed);
      if (!replayed.isReproduced) throw new CheckFailed('replay differs from the record');
    });
}

/** Runs a recorded portfolio again; null where the record is of anything else. */
export async function replayedPortfolio(name: string, environment: Environment) {
  const manifest = portfolioManifestOf(await recordNamed(name, environment));
  if (manifest === null) return null;
  const { run, changes } = await replayPortfolio(manifest, openServices(environment));
  const warnings =
    changes.length === 0 ? [] : [`${manifest.run_id} came out differently than recorded: ${changes.join('; ')}`];
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

function printReplay(recorded: Manifest, { isReproduced, changes, run }: Replay): void {
  const { metrics } = run.result;
  if (isReproduced) print(`${recorded.run_id}: reproduced byte for byte, ending balance ${metrics.ending_balance}`);
  else print(`${recorded.run_id}: not reproduced, ending balance now ${metrics.ending_balance}`);
  for (const change of changes) print(`  ${change}`);
}
