import { type Hold, openSweepFolder, type SweepFolder } from '../../data/sweeps/index.js';
import { EngineError } from '../../engine/errors.js';
import type { HeldOut, HeldOutDays } from '../../engine/sweep/index.js';
import { type FolderOutcome, runInFolder } from './sweep-folder.js';

/** Runs sweeps in place of the threads of this process, such as a service. */
export interface SweepRunner {
  /**
   * Hands over a plan, or finds it where an earlier call left it, without starting its runs.
   * @returns the id of the experiment there
   */
  open(plan: PlanToRun): Promise<string>;
  /** The folder for the rows of an experiment. */
  folderOf(experimentId: string): string;
  /**
   * Starts the runs, waits for them, and writes their rows into the folder. Called once, after `open`.
   * @returns the number of runs that have a row there
   */
  run(folder: SweepFolder, hold: Hold): Promise<number>;
}

/** A checked plan, as the record of a sweep has it. */
export interface PlanToRun {
  readonly sweep: unknown;
  readonly engine_version: string;
  readonly total_runs: number;
  readonly plan_hash: string;
}

interface Prepared {
  readonly declared: readonly HeldOut[];
  readonly warnings: readonly string[];
}

interface Elsewhere<P extends Prepared> {
  readonly runner: SweepRunner;
  readonly prepared: P;
  /** The record of the sweep but for the id, which the runner gives. */
  readonly plan: PlanToRun;
  readonly heldOut: HeldOutDays | undefined;
  /** Called once before the runs start. */
  readonly onPlanned: ((prepared: P, folder: string) => Promise<void>) | undefined;
}

/**
 * Has a planned sweep run elsewhere. Its folder is then one of a sweep that ran here, also for
 * `--resume`. The same call goes on after a crash.
 * @throws EngineError CONFLICT where the folder has another sweep
 */
export async function runElsewhere<P extends Prepared>({
  runner,
  prepared,
  plan,
  heldOut,
  onPlanned,
}: Elsewhere<P>): Promise<FolderOutcome<P>> {
  const experimentId = await runner.open(plan);
  const path = runner.folderOf(experimentId);
  const folder = openSweepFolder(path);
  const known = (await folder.readRecord()) as { readonly experiment_id?: unknown } | null;
  if (known !== null && known.experiment_id !== experimentId) {
    throw new EngineError(
      'CONFLICT',
      `${path} already has another sweep, ${known.experiment_id}: choose another folder`,
    );
  }
  await onPlanned?.(prepared, path);
  const { declared, warnings } = prepared;
  const record = { ...plan, experiment_id: experimentId };
  const run = { folder, isNew: known === null, record, declared, heldOut };
  const done = await runInFolder(run, (hold) => runner.run(folder, hold));
  const { total_runs: total, plan_hash: planHash } = plan;
  return { experimentId, folder: path, total, done, planHash, warnings, prepared, runs: null };
}
