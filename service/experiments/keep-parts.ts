import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isUuid, type PartRange, type SqlExperimentParts } from '../../data/state/index.js';
import { joinFiles, openSweepFolder } from '../../data/sweeps/index.js';
import type { WallClock } from '../wall-clock.js';
import { folderOf } from './run-blocks.js';

export interface PartKeeperDeps {
  readonly parts: SqlExperimentParts;
  /** Folder of the rows of all experiments. */
  readonly corpus: string;
  readonly nowMs: WallClock;
}

/** Every file costs its reader; one that is longer costs whoever joins it 2 KB of memory a row, and is joined in vain when rows are added. */
const JOINED_ROWS_MAX = 50_000;
/** What results are sorted by where nobody says otherwise. */
const RANKED_BY = 'sharpe_ratio';
/** Somebody may still read a file that was replaced, or write one that is not committed yet. */
const UNREFERENCED_MS_MAX = 3_600_000;
const JOINING_MS_MAX = 600_000;

/** Keeps the rows of experiments in few files, and clears away those that no experiment has. */
export class PartKeeper {
  constructor(private readonly deps: PartKeeperDeps) {}

  /** Joins the files of one experiment that has too many; false when there is none. */
  async joinNext(): Promise<boolean> {
    const { parts, corpus, nowMs } = this.deps;
    const scattered = await parts.claimScattered(nowMs(), nowMs() + JOINING_MS_MAX);
    if (scattered === null) return false;
    const { id, orgId } = scattered;
    const folder = openSweepFolder(folderOf(corpus, orgId, id));
    for (const group of groupsOf(scattered.parts)) {
      const joined = { from: group[0]!.from, to: group.at(-1)!.to };
      const path = folder.pathOf(joined.from, joined.to);
      const files = group.map(({ from, to }) => folder.pathOf(from, to));
      await joinFiles(files, path, { highest: RANKED_BY });
      const isJoined = await parts.replace(id, joined, (await stat(path)).size);
      if (!isJoined) return true; // deleted meanwhile, or joined by somebody else
    }
    await parts.setJoined(scattered);
    return true;
  }

  /** Removes files that no experiment refers to and that nobody can be at any more, with the folders of deleted experiments. */
  async clear(): Promise<void> {
    const { corpus, parts } = this.deps;
    for (const orgId of await namesIn(corpus)) {
      if (!isUuid(orgId)) continue;
      const referenced = await parts.ofOrganization(orgId);
      for (const id of await namesIn(join(corpus, orgId)))
        await this.#clearFolder(folderOf(corpus, orgId, id), referenced.get(id));
    }
  }

  async #clearFolder(path: string, referenced: readonly PartRange[] | undefined): Promise<void> {
    const { pathOf } = openSweepFolder(path);
    const kept = new Set(referenced?.map(({ from, to }) => pathOf(from, to)));
    if (referenced !== undefined) kept.add(join(path, 'sweep.json'));
    let left = 0;
    for (const name of await namesIn(path)) {
      const file = join(path, name);
      const isRecent = this.deps.nowMs() - (await stat(file)).mtimeMs < UNREFERENCED_MS_MAX;
      if (kept.has(file) || isRecent) left++;
      else await rm(file, { recursive: true, force: true }); // a report's folder of links, too, which a crash left
    }
    if (left === 0 && referenced === undefined) await rm(path, { recursive: true, force: true });
  }
}

/** Parts that follow each other, as many as make a file; a part on its own is left as it is. */
function groupsOf(parts: readonly PartRange[]): PartRange[][] {
  const groups: PartRange[][] = [];
  for (const part of parts) {
    const group = groups.at(-1);
    if (group?.at(-1)?.to === part.from && part.to - group[0]!.from <= JOINED_ROWS_MAX) group.push(part);
    else groups.push([part]);
  }
  return groups.filter(({ length }) => length > 1);
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
