import { isDeepStrictEqual } from 'node:util';
import { EngineError } from '../../engine/errors.js';
import { checkColumn } from '../columns/index.js';
import { describeBars } from './add-bars.js';
import { readBarsFile } from './read-file.js';
import type { StoredBars } from './stored.js';

export interface CheckedEntry {
  readonly entry: StoredBars;
  /** The problems of the stored bars, one line each; empty when all is well. */
  readonly problems: readonly string[];
}

/**
 * Reads the file of an entry with all the rules of an import and compares the result with the
 * entry; then the files of its added columns.
 */
export async function checkEntry(entry: StoredBars): Promise<CheckedEntry> {
  try {
    const found = describeBars(await readBarsFile(entry.path, { intervalMs: entry.intervalMs }));
    const problems = Object.entries(found).flatMap(([field, value]) => {
      const recorded = entry[field as keyof typeof found];
      const difference = `${entry.file}: ${field} must be ${JSON.stringify(recorded)}, is ${JSON.stringify(value)}`;
      return isDeepStrictEqual(value, recorded) ? [] : [difference];
    });
    for (const column of entry.added) problems.push(...(await checkColumn(column)));
    return { entry, problems };
  } catch (error) {
    if (error instanceof EngineError) return { entry, problems: [error.message] };
    throw error;
  }
}
