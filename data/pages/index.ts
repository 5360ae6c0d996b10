import { stat, writeFile } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { EngineError, quote } from '../../engine/errors.js';
import { replaceFile } from '../files.js';

/**
 * Writes an HTML page to `path`. An existing file is replaced, whole or not at all.
 *
 * @throws INVALID_FIELD for another extension; NOT_FOUND when the folder does not exist
 */
export async function writePage(path: string, html: string): Promise<void> {
  await checkPagePath(path);
  await replaceFile(path, (aside) => writeFile(aside, html));
}

/** Refuses a path that `writePage` would refuse, before the page is built. */
export async function checkPagePath(path: string): Promise<void> {
  if (!['.html', '.htm'].includes(extname(path).toLowerCase())) {
    throw new EngineError('INVALID_FIELD', `report must end in .html, was ${quote(path)}`, { path });
  }
  const folder = await stat(dirname(path)).catch(() => null);
  if (!folder?.isDirectory()) {
    throw new EngineError('NOT_FOUND', `there is no folder ${quote(dirname(path))}`, { path });
  }
}
