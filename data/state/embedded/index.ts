import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../files.js';
import { lockHome, settleHome } from './home-lock.js';
import { PglitePool, type PooledClient, type SessionStore } from './pglite-pool.js';

export { lockHome, type PooledClient, settleHome };

/*
 * A separate entry point, since it loads little: the store opens in its thread while the rest of
 * the code still loads.
 */

/** The store creates files that every user could read; the folder keeps other users out. */
const OWNER_ONLY = 0o700;

/** The store of a home, which no other process can open until `release`. */
export interface EmbeddedStore {
  readonly pool: SessionStore;
  /** The caller calls it after the pool has ended. */
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
 * Unpacks the empty store of the package into a temporary folder and renames it, so a process that
 * dies meanwhile leaves no half-made store. To let the database create one takes seconds and 850 MB.
 */
async function createStore(home: string, folder: string): Promise<void> {
  const aside = join(home, '.state-new');
  await rm(aside, { recursive: true, force: true });
  await makeFolder(aside, OWNER_ONLY);
  const [{ extract }, { ownPackage }] = await Promise.all([import('tar'), import('../../package/index.js')]);
  // Synchronous, since a thousand small files take a third of the time that way.
  extract({ file: join(ownPackage().root, 'dist/empty-store.tgz'), cwd: aside, sync: true });
  await rename(aside, folder);
}
