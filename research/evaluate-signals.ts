import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sha256 } from '../data/hashes/index.js';
import { errorCode } from '../data/outage.js';
import { EngineError, isRecord, quote, wrongField } from '../engine/errors.js';
import { Frame, type ParamValues, resolveParams } from '../engine/indicators/index.js';
import { type BarSeries, bitIndices } from '../engine/series/index.js';
import { columnsBeside, requireSignal, signalMask } from '../engine/signals/index.js';
import { loadOwnSignals } from '../workers/index.js';
import type { OwnSignals } from './backtest/prepare-run.js';

interface SignalAnswer {
  readonly name: string;
  /** All parameters, defaults included. */
  readonly params: ParamValues;
  /** Indices, from 0, of the bars on which the signal is true. */
  readonly bars: readonly number[];
  /** Why the signal can never be true on these bars; absent otherwise. */
  readonly note?: string;
}

/**
 * Evaluates `[{name, params?}]` over a series. The value at a bar reads only bars up to it.
 * @throws EngineError with a message that begins with the place of the invalid request
 */
export function evaluateSignals(json: unknown, bars: BarSeries): SignalAnswer[] {
  if (!Array.isArray(json)) {
    throw wrongField('requests', 'an array of {name, params}', json);
  }
  const frame = Frame.of(bars);
  const requests = json.map((request, i) => readRequest(request, `requests[${i}]`));
  return requests.map(({ signal, params }) => {
    const answer = { name: signal.name, params };
    const column = columnsBeside(signal, params).find((name) => !frame.has(name));
    if (column !== undefined) return { ...answer, bars: [], note: `the data has no column ${column}` };
    return { ...answer, bars: bitIndices(signalMask(signal, params, frame)) };
  });
}

function readRequest(request: unknown, place: string) {
  if (!isRecord(request)) {
    throw wrongField(place, 'an object {name, params}', request);
  }
  const { name, params } = request;
  if (name === undefined || name === null) {
    throw new EngineError('MISSING_FIELD', `${place}.name is required`, { field: 'name' });
  }
  try {
    const signal = requireSignal(name);
    return { signal, params: resolveParams(signal, params) };
  } catch (error) {
    if (error instanceof EngineError) throw new EngineError(error.code, `${place}: ${error.message}`, error.details);
    throw error;
  }
}

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
