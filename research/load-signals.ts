import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sha256 } from '../data/hashes/index.js';
import { errorCode } from '../data/outage.js';
import { EngineError, quote } from '../engine/errors.js';
import { loadOwnSignals } from '../workers/index.js';
import type { OwnSignals } from './backtest/prepare-run.js';

const MODULES_MAX = 16;

/**
 * Loads modules of signals, whose code then runs in this process. Their hash covers the text of the
 * modules and not what they import.
 *
 * @param paths relative to the working folder
 * @throws EngineError NOT_FOUND for a path without a file, INVALID_FIELD for a module without
 *   signals
 */
export async function loadSignalModules(paths: readonly string[]): Promise<OwnSignals> {
  if (paths.length === 0 || paths.length > MODULES_MAX) {
    throw new EngineError('INVALID_FIELD', `signals must name 1..${MODULES_MAX} modules, named ${paths.length}`);
  }
  const texts: string[] = [];
  for (const path of paths) {
    try {
      texts.push(await readFile(path, 'utf8'));
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOENT') throw new EngineError('NOT_FOUND', `there is no module of signals ${quote(path)}`);
      throw new EngineError('INVALID_FIELD', `the module of signals ${quote(path)} cannot be read (${code})`);
    }
  }
  const modules = paths.map((path) => pathToFileURL(resolve(path)).href);
  const signals = await loadOwnSignals(modules);
  return { signals, from: paths.map((path) => basename(path)).join(', '), hash: sha256(texts.join('\0')), modules };
}
