import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { countTries, joinSweeps, joinTries, TRIES_KEPT, type TriedSweep } from '../../engine/sweep/index.js';
import { asidePath, makeFolder, removeAbandoned, replaceFile } from '../files.js';
import { errorCode } from '../outage.js';
import { openSameBars, saveSameBars } from './same-bars.js';

export { type Holdouts, openHoldouts } from './holdouts.js';
export { openSameBars } from './same-bars.js';

/**
 * Every configuration that was ever tried on the bars of an asset, by its identity. Reading the
 * tries of an asset includes tries on the same bars under other names.
 */
export interface TriesLedger {
  /** Adds tries; a try that it knows counts once. */
  add(asset: string, tries: Iterable<string>): Promise<void>;
  /**
   * Adds a try at once in memory, where readers of this process find it, and on disk soon or at the
   * end of the process: for runs in a loop. Without `makesHome`, a home that does not exist is not
   * made for it.
   */
  count(asset: string, identity: string, makesHome: boolean): void;
  /** The identities kept, see `joinTries`; empty for an asset that was never tried. */
  read(asset: string): Promise<string[]>;
  /** Adds what a judged sweep was worth; of one that is known, the larger worth stays. */
  addSweep(asset: string, tried: TriedSweep): Promise<void>;
  /** What judged sweeps were worth, by asset. */
  sweeps(): Promise<ReadonlyMap<string, readonly TriedSweep[]>>;
  /** The assets that were tried, by name, with the number of tries and the other names of their bars. */
  list(): Promise<{ readonly asset: string; readonly tries: number; readonly sameBarsAs?: readonly string[] }[]>;
}

const SUFFIX = '.tries';
/** The first word of a line for a sweep. */
const SWEEP = 'sweep';

/**
 * A ledger in `home/tries`, with a folder for each asset. Its files hold one identity a line, and a
 * line for what a judged sweep was worth. A writer joins the files that it finds into a new one and
 * then removes them. So writers at the same time lose nothing, even if one is killed: what it
 * leaves is joined again, and only joined tries are removed.
 */
export function openTries(home: string): TriesLedger {
  const root = join(home, 'tries');
  const assetFolder = (asset: string): string => join(root, encodeURIComponent(asset));
  const { namesOf } = openSameBars(home);
  const read = async (asset: string) => {
    const names = await namesOf(asset);
    const waiting = names.map((name) => waitingOn(root, name)); // before the files: what a writer takes is in both
    return joinTries(...waiting, ...(await readContents(names.map(assetFolder))).map(({ lines }) => lines));
  };
  const addTo = async (asset: string, tries: Iterable<string>, sweeps: readonly TriedSweep[]) => {
    const folder = assetFolder(asset);
    await makeFolder(folder);
    await saveSameBars(home);
    await removeAbandoned(folder);
    const waiting = waitingOn(root, asset);
    const found = await readContents([folder]);
    const known = fileText(found);
    const joined = fileText(found, [...tries, ...waiting], sweeps);
    if (found.length !== 1 || joined !== known) {
      const path = join(folder, `${randomUUID()}${SUFFIX}`);
      await replaceFile(path, (aside) => writeFile(aside, joined));
      for (const { file } of found) await rm(file, { force: true });
    }
    endWaiting(root, asset, waiting);
  };
  const write = async (names: readonly string[]) => {
    for (const asset of names) await addTo(asset, [], []);
  };
  const assets = async () => {
    const names = [...waitingAssets(root), ...(await namesIn(root)).map(decodeURIComponent)];
    return [...new Set((await Promise.all(names.map(namesOf))).flat())].sort();
  };
  return {
    read,
    add: (asset, tries) => addTo(asset, tries, []),
    count: (asset, identity, makesHome) => keepWaiting(root, { asset, identity, makesHome }, write),
    addSweep: (asset, tried) => addTo(asset, [], [tried]),
    async sweeps() {
      const found = new Map<string, readonly TriedSweep[]>();
      for (const asset of await assets()) {
        found.set(asset, sweepsIn(await readContents((await namesOf(asset)).map(assetFolder))));
      }
      return found;
    },
    async list() {
      return Promise.all(
        (await assets()).map(async (asset) => {
          const [, ...others] = await namesOf(asset);
          const tries = countTries(await read(asset));
          return { asset, tries, ...(others.length > 0 && { sameBarsAs: others.sort() }) };
        }),
      );
    },
  };
}

type Contents = readonly { readonly file: string; readonly lines: readonly string[] }[];

/** The lines of one file: everything found, and the additions. */
function fileText(found: Contents, tries: Iterable<string> = [], sweeps: readonly TriedSweep[] = []): string {
  const all = joinTries(...found.map(({ lines }) => lines), tries);
  const told = joinSweeps(sweepsIn(found), sweeps).map((one) =>
    [SWEEP, one.sweep, one.plan, one.tries, one.unrelated].join(' '),
  );
  return `${[...all, ...told].join('\n')}\n`;
}

const sweepsIn = (found: Contents): TriedSweep[] =>
  joinSweeps(found.flatMap(({ lines }) => lines.flatMap((line) => parseSweep(line) ?? [])));

/** The sweep that a line tells of, null for any other line. */
function parseSweep(line: string): TriedSweep | null {
  const [word, sweep, plan, ...figures] = line.split(' ');
  const [tries, unrelated] = figures.map(Number);
  if (word !== SWEEP || sweep === undefined || plan === undefined) return null;
  if (tries === undefined || unrelated === undefined || !(tries > 0 && unrelated > 0)) return null;
  return { sweep, plan, tries, unrelated };
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** All files of folders; lists again when a writer removed one, since it wrote another. */
async function readContents(
  folders: readonly string[],
): Promise<{ readonly file: string; readonly lines: string[] }[]> {
  for (;;) {
    const listed = folders.map(async (folder) =>
      (await namesIn(folder))
        .filter((name) => name.endsWith(SUFFIX) && !name.startsWith('.'))
        .map((name) => join(folder, name)),
    );
    const files = (await Promise.all(listed)).flat();
    try {
      return await Promise.all(
        files.map(async (file) => ({ file, lines: (await readFile(file, 'utf8')).split('\n') })),
      );
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }
}

/** Tries that no file of a ledger holds yet. */
interface Waiting {
  readonly byAsset: Map<string, Set<string>>;
  /** Whether they make the home if it does not exist; otherwise they last as long as the process. */
  makesHome: boolean;
}

const SOON_MS = 1_000;
/** Of this process, by the folder of the ledger. */
const byRoot = new Map<string, Waiting>();

/**
 * Keeps a try in memory, until `write` is called a second later, the ledger is written for its
 * asset, or the process ends: a file a run would cost more than the run.
 */
function keepWaiting(
  root: string,
  { asset, identity, makesHome }: { asset: string; identity: string; makesHome: boolean },
  write: (assets: readonly string[]) => Promise<void>,
): void {
  if (byRoot.size === 0) process.once('exit', writeAll);
  const waiting = byRoot.get(root) ?? { byAsset: new Map<string, Set<string>>(), makesHome };
  byRoot.set(root, waiting);
  waiting.makesHome ||= makesHome;
  if (waiting.byAsset.size === 0 && hasPlace(root, waiting)) {
    // A failure is told at exit, when it is tried again.
    setTimeout(() => write([...waiting.byAsset.keys()]).catch(() => {}), SOON_MS).unref();
  }
  const tries = waiting.byAsset.get(asset) ?? new Set();
  waiting.byAsset.set(asset, tries.add(identity));
  if (tries.size > 2 * TRIES_KEPT) waiting.byAsset.set(asset, new Set(joinTries(tries)));
}

/** The tries that wait, a copy. */
const waitingOn = (root: string, asset: string): string[] => [...(byRoot.get(root)?.byAsset.get(asset) ?? [])];

const waitingAssets = (root: string): string[] => [...(byRoot.get(root)?.byAsset.keys() ?? [])];

/** Forgets tries that a file holds now. */
function endWaiting(root: string, asset: string, written: readonly string[]): void {
  const waiting = byRoot.get(root)?.byAsset;
  const tries = waiting?.get(asset);
  for (const identity of written) tries?.delete(identity);
  if (tries?.size === 0) waiting?.delete(asset);
}

const hasPlace = (root: string, { makesHome }: Waiting): boolean => makesHome || existsSync(dirname(root));

/** At exit, when nothing can be awaited: a file of its own for each asset, which the next writer joins. */
function writeAll(): void {
  for (const [root, waiting] of byRoot) {
    if (!hasPlace(root, waiting)) continue;
    try {
      for (const [asset, tries] of waiting.byAsset) writeTries(join(root, encodeURIComponent(asset)), tries);
    } catch (error) {
      process.stderr.write(`barline: tries not saved: ${String(error)}\n`);
    }
  }
}

function writeTries(folder: string, tries: Iterable<string>): void {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${randomUUID()}.tries`);
  const aside = asidePath(path);
  writeFileSync(aside, `${joinTries(tries).join('\n')}\n`);
  renameSync(aside, path);
}
