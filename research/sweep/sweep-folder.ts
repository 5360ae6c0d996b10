import { type Hold, openSweepFolder, type SweepFolder } from '../../data/sweeps/index.js';
import { EngineError } from '../../engine/errors.js';
import type { HeldOut, HeldOutDays, RunTable } from '../../engine/sweep/index.js';

/** What became of a sweep of runs or of portfolios. */
export interface FolderOutcome<Prepared> {
  readonly experimentId: string;
  readonly folder: string;
  readonly total: number;
  readonly done: number;
  readonly planHash: string;
  readonly warnings: readonly string[];
  /** Plan and bars, for use with the rows. */
  readonly prepared: Prepared;
  /** What the runs gave, by the metric that ranks them; null after a resumed sweep, whose rows have it. */
  readonly runs: RunTable | null;
}

/** Opens a folder for a new sweep, or for the rest of the one in it. @throws EngineError CONFLICT, NOT_FOUND */
export async function openForRun<Record extends object>(
  path: string,
  isResumed: boolean,
  { what, isOurs }: { readonly what: string; readonly isOurs: (record: unknown) => boolean },
): Promise<{ readonly folder: SweepFolder; readonly known: Record | null }> {
  const folder = openSweepFolder(path);
  const known = (await folder.readRecord()) as Record | null;
  if (known !== null && !isResumed) {
    throw new EngineError('CONFLICT', `${path} already has a sweep: resume it, or choose another folder`);
  }
  if (isResumed && !isOurs(known)) throw new EngineError('NOT_FOUND', `there is no ${what} to resume in ${path}`);
  return { folder, known };
}

interface FolderRun {
  readonly folder: SweepFolder;
  readonly isNew: boolean;
  readonly record: { readonly total_runs: number };
  /** Days to hold out before the first run. */
  readonly declared: readonly HeldOut[];
  readonly heldOut: HeldOutDays | undefined;
}

/**
 * Runs the missing part of a sweep, while no other process writes to its folder.
 * @param runMissing writes rows, and returns the number of all runs that have theirs
 */
export async function runInFolder(
  { folder, isNew, record, declared, heldOut }: FolderRun,
  runMissing: (hold: Hold) => Promise<number>,
): Promise<number> {
  const hold = await folder.hold();
  try {
    // First of all: from here on no run may touch these days, whatever becomes of this one.
    for (const days of declared) await heldOut?.declare(days);
    if (isNew) await folder.writeRecord(record);
    const done = await runMissing(hold);
    if (done === record.total_runs) await folder.compact();
    return done;
  } finally {
    await hold.release();
  }
}
