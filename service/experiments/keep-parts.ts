import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isUuid } from '../../data/state/index.js';
import { groupsToJoin, joinFiles, markUsed, openSweepFolder, triedIn } from '../../data/sweeps/index.js';
import type { WallClock } from '../wall-clock.js';
import type { PartRange, Scattered, SqlExperimentParts } from './parts.js';
import { experimentFolder } from './run-blocks.js';
import type { SqlTries } from './tries.js';

interface PartKeeperDeps {
  readonly parts: SqlExperimentParts;
  readonly tries: SqlTries;
  /** Folder that holds the rows of all experiments. */
  readonly corpus: string;
  readonly nowMs: WallClock;
}

/**
 * Most rows of a joined file. Each file costs its readers time, but joining takes 2 KB of memory
 * per row, and joining long files is wasted work when rows are added later.
 */
const JOINED_ROWS_MAX = 50_000;
/** The default sort column of results. */
const RANKED_BY = 'sharpe_ratio';
/**
 * Until then a reader may still use a replaced file, and a writer may not have committed a new one.
 */
const UNREFERENCED_MS_MAX = 3_600_000;
const JOINING_MS_MAX = 600_000;

/** Keeps the rows of experiments in few files, and deletes files that no experiment refers to. */
export class PartKeeper {
  #isStopping = false;

  constructor(private readonly deps: PartKeeperDeps) {}

  /** Stops joining after the current file and starts no more. */
  stop(): void {
    this.#isStopping = true;
  }

  /** Joins the files of one experiment that has too many; false if no experiment has. */
  async joinNext(): Promise<boolean> {
    const { parts, nowMs } = this.deps;
    if (this.#isStopping) return false;
    const scattered = await parts.claimScattered(nowMs(), nowMs() + JOINING_MS_MAX);
    if (scattered === null) return false;
    // An unfinished join keeps its claim for a while. Otherwise the same experiment would be handed
    // out first again, and others would never get a turn.
    if (await this.#join(scattered)) {
      if (scattered.isEnded) await this.#recordTries(scattered);
      await parts.setJoined(scattered);
    } else {
      await parts.release(scattered);
    }
    return true;
  }

  /** What an ended experiment tried counts from now on, even if a crash repeats this. */
  async #recordTries({ id, orgId }: Scattered): Promise<void> {
    const { corpus, tries } = this.deps;
    for (const [asset, hashes] of await triedIn(experimentFolder(corpus, orgId, id)))
      await tries.add(orgId, asset, hashes);
  }

  /**
   * False if it stopped early: the experiment was deleted, another process joined it, or this
   * keeper is stopping.
   */
  async #join({ id, orgId, parts: scattered }: Scattered): Promise<boolean> {
    const { parts, corpus } = this.deps;
    const folder = openSweepFolder(experimentFolder(corpus, orgId, id));
    for (const group of groupsToJoin(scattered, JOINED_ROWS_MAX)) {
      if (this.#isStopping) return false;
      // biome-ignore lint/style/noNonNullAssertion: a group to join has two parts at least
      const joined = { from: group[0]!.from, to: group.at(-1)!.to };
      const path = folder.partPath(joined.from, joined.to);
      const files = group.map(({ from, to }) => folder.partPath(from, to));
      await joinFiles(files, path, { highest: RANKED_BY });
      for (const file of files) await markUsed(file); // gives current readers time to finish
      if (!(await parts.replace(id, joined, (await stat(path)).size))) return false;
    }
    return true;
  }

  /**
   * Deletes files that no experiment refers to and no process can still be using, and folders of
   * deleted experiments.
   */
  async clear(): Promise<void> {
    const { corpus, parts } = this.deps;
    for (const orgId of await namesIn(corpus)) {
      if (!isUuid(orgId)) continue;
      const referenced = await parts.ofOrganization(orgId);
      for (const id of await namesIn(join(corpus, orgId)))
        await this.#clearFolder(experimentFolder(corpus, orgId, id), referenced.get(id));
    }
  }

  async #clearFolder(path: string, referenced: readonly PartRange[] | undefined): Promise<void> {
    const { partPath } = openSweepFolder(path);
    const kept = new Set(referenced?.map(({ from, to }) => partPath(from, to)));
    if (referenced !== undefined) kept.add(join(path, 'sweep.json'));
    let left = 0;
    for (const name of await namesIn(path)) {
      const file = join(path, name);
      const staleMs = this.deps.nowMs() - UNREFERENCED_MS_MAX;
      const found = await stat(file).catch(gone);
      if (found === null) continue; // another process has removed or renamed it
      if (kept.has(file) || found.mtimeMs > staleMs) left++;
      // This may be a report's folder of links that a crash left.
      else await rm(file, { recursive: true, force: true });
    }
    if (left === 0 && referenced === undefined) await rm(path, { recursive: true, force: true });
  }
}

const gone = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null;
  throw error;
};

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
