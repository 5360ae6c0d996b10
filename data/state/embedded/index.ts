import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { lockHome } from './home-lock.js';
import { PglitePool, type SessionStore } from './pglite-pool.js';

/*
 * A door of its own, as this part loads little: the store opens in its thread while the rest of the
 * code is still read.
 */

/** The store writes files that anybody could read. */
const OWNER_ONLY = 0o700;

/** The store in a home, which nobody else has open until `release`. */
export interface EmbeddedStore {
  readonly pool: SessionStore;
  /** To be called when the pool has ended. */
  release(): Promise<void>;
}

/** @throws CONFLICT at once when another process has the store open */
export async function openEmbeddedStore(home: string): Promise<EmbeddedStore> {
  const lock = await lockHome(home);
  try {
    const folder = join(home, 'state');
    if (!existsSync(folder)) await createStore(home, folder);
    return { pool: await PglitePool.open(folder), release: () => lock.release() };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * Made aside and renamed: a process that dies while it creates the store leaves none, rather than
 * half of one.
 */
async function createStore(home: string, folder: string): Promise<void> {
  const aside = join(home, '.state-new');
  await rm(aside, { recursive: true, force: true });
  await mkdir(aside, { recursive: true, mode: OWNER_ONLY });
  const script = import.meta.url.endsWith('.ts') ? './create-store.ts' : './create-store.js';
  const path = fileURLToPath(new URL(script, import.meta.url));
  await promisify(execFile)(process.execPath, [...process.execArgv, path, aside]);
  await rename(aside, folder);
}
