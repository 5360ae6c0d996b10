import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { joinTries, TRIES_KEPT } from '../../engine/sweep/index.js';
import { asidePath } from '../files.js';

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
export function keepWaiting(
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
export const waitingOn = (root: string, asset: string): string[] => [...(byRoot.get(root)?.byAsset.get(asset) ?? [])];

export const waitingAssets = (root: string): string[] => [...(byRoot.get(root)?.byAsset.keys() ?? [])];

/** Forgets tries that a file holds now. */
export function endWaiting(root: string, asset: string, written: readonly string[]): void {
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
