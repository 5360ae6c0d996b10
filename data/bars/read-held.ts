import { isDeepStrictEqual } from 'node:util';
import { EngineError } from '../../engine/errors.js';

/** A series that is replaced this often during one read changes faster than it can be read. */
const TRIES_MAX = 50;

/**
 * Finds what is held and reads its files. Another process may replace them meanwhile, which deletes
 * the files found: then it reads their replacements. Files that fail twice while nothing replaces
 * them are damaged.
 *
 * @param find the entry with its times of import, anew at each call
 * @throws as `read` for files that are damaged
 */
export async function readHeld<Held, Read>(
  find: () => Promise<Held>,
  read: (held: Held) => Promise<Read>,
): Promise<Read> {
  let failed: { readonly held: Held } | null = null;
  for (let tries = 1; ; tries++) {
    const held = await find();
    try {
      return await read(held);
    } catch (error) {
      const isDamaged = error instanceof EngineError && error.code === 'INVALID_DATA';
      const isSame = failed !== null && isDeepStrictEqual(failed.held, held);
      if (!isDamaged || isSame || tries === TRIES_MAX) throw error;
      failed = { held };
    }
  }
}
