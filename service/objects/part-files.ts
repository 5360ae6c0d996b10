import { readdir, rm, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import pLimit from 'p-limit';
import { addFile, makeFolder, markUsed } from '../../data/files.js';
import type { ObjectStore } from '../../data/objects/index.js';
import { errorCode } from '../../data/outage.js';

/**
 * The files of the rows of experiments, below the folder `corpus` of each host's home. They are
 * written, joined and read there; whether other hosts see that folder, this port knows.
 */
export interface PartFiles {
  /** Makes a finished file readable on every host. A row that names it is committed afterwards. */
  publish(path: string): Promise<void>;
  /** Brings files to this host that are not here. What is nowhere any more stays absent. */
  bring(paths: readonly string[]): Promise<void>;
  /**
   * Removes stored files that nothing refers to.
   * @param isReferenced of a file by its path on this host
   */
  clear(isReferenced: (path: string) => Promise<boolean>, staleMs: number): Promise<void>;
}

/** Hosts that share the folder, or a single one. */
export const sharedFolder: PartFiles = {
  publish: async () => {},
  bring: async () => {},
  clear: async () => {},
};

interface CachedParts {
  readonly objects: ObjectStore;
  readonly corpus: string;
  /** Most bytes that files here may have together, but for those in use. */
  readonly cacheBytesMax: number;
  readonly nowMs: () => number;
  readonly onInternalError: (error: unknown) => void;
}

const AT_ONCE = 8;
/** A file that was asked for within this time may be in use. */
const IN_USE_MS = 600_000;
/** How long a file that was found here is taken to be here without another look. */
const KNOWN_MS = 60_000;
/** The folder is measured again once this share of its bound was added. */
const GROWTH_SHARE = 1 / 16;
const PREFIX = 'corpus/';

/** Hosts without a shared folder: a store of objects has all files, and each host those that it used last. */
export class StoredParts implements PartFiles {
  readonly #limit = pLimit(AT_ONCE);
  /** When files were last found here, epoch ms. */
  readonly #known = new Map<string, number>();
  readonly #coming = new Map<string, Promise<void>>();
  #addedBytes = 0;
  #evicting: Promise<void> | null = null;

  constructor(private readonly deps: CachedParts) {}

  async publish(path: string): Promise<void> {
    await this.deps.objects.put(this.#key(path), path);
    await this.#added(path);
  }

  async bring(paths: readonly string[]): Promise<void> {
    await Promise.all(
      paths.map((path) => {
        let coming = this.#coming.get(path);
        if (coming === undefined) {
          coming = this.#limit(() => this.#bringOne(path)).finally(() => this.#coming.delete(path));
          this.#coming.set(path, coming);
        }
        return coming;
      }),
    );
  }

  async clear(isReferenced: (path: string) => Promise<boolean>, staleMs: number): Promise<void> {
    const { objects } = this.deps;
    for await (const { key, storedMs } of objects.list(PREFIX)) {
      if (storedMs > staleMs || (await isReferenced(this.#path(key)))) continue;
      // Looked at again, since a runner may have written the same runs anew meanwhile.
      for await (const now of objects.list(key)) {
        if (now.key === key && now.storedMs <= staleMs) await objects.remove(key);
      }
    }
    await this.evict();
  }

  /** Removes the files that were used least recently, down to the bound. */
  async evict(): Promise<void> {
    const { corpus, cacheBytesMax, nowMs } = this.deps;
    const found: { readonly path: string; readonly bytes: number; readonly usedMs: number }[] = [];
    for (const name of await readdir(corpus, { recursive: true }).catch(() => [])) {
      const path = join(corpus, name);
      const file = name.endsWith('.parquet') ? await stat(path).catch(() => null) : null;
      if (file?.isFile()) found.push({ path, bytes: file.size, usedMs: file.mtimeMs });
    }
    let total = found.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { path, bytes, usedMs } of found.sort((a, b) => a.usedMs - b.usedMs)) {
      if (total <= cacheBytesMax || usedMs > nowMs() - IN_USE_MS) break;
      await rm(path, { force: true });
      this.#known.delete(path);
      total -= bytes;
    }
  }

  async #bringOne(path: string): Promise<void> {
    const nowMs = this.deps.nowMs();
    if (nowMs - (this.#known.get(path) ?? Number.NEGATIVE_INFINITY) < KNOWN_MS) return;
    if (!(await markUsed(path))) {
      await makeFolder(join(path, '..'));
      let isThere = false;
      await addFile(path, async (aside) => {
        isThere = await this.deps.objects.get(this.#key(path), aside);
      }).catch((error: unknown) => {
        if (isThere || errorCode(error) !== 'ENOENT') throw error; // no aside file, as there is no object
      });
      if (!isThere) return;
      await this.#added(path);
    }
    this.#known.set(path, nowMs);
  }

  async #added(path: string): Promise<void> {
    this.#addedBytes += (await stat(path)).size;
    if (this.#addedBytes < this.deps.cacheBytesMax * GROWTH_SHARE) return;
    this.#addedBytes = 0;
    this.#evicting ??= this.evict()
      .catch(this.deps.onInternalError)
      .finally(() => {
        this.#evicting = null;
      });
  }

  #key(path: string): string {
    return `${PREFIX}${relative(this.deps.corpus, path).split(sep).join('/')}`;
  }

  #path(key: string): string {
    return join(this.deps.corpus, ...key.slice(PREFIX.length).split('/'));
  }
}
