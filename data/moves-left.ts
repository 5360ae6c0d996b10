import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Begins the names of the folders that restores unpack into, and of their journal. */
export const RESTORE = '.restore-';
/** The moves of a restore that are not all done; it stands in the home meanwhile. */
export const JOURNAL = `${RESTORE}journal.json`;

/** Whether a restore of this home was killed, or is at work. */
export const hasMovesLeft = (home: string): boolean => existsSync(join(home, JOURNAL));
