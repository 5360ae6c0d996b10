import { EngineError, errorMessage } from '../engine/errors.js';
import { checkOwnSignals, type OwnSignal } from '../engine/signals/index.js';

const loaded = new Map<string, Promise<readonly OwnSignal[]>>();

/**
 * The signals that modules export, by any name or as a list. A module runs once in a thread,
 * however often it is asked for.
 *
 * @param modules file URLs
 * @throws EngineError INVALID_FIELD for a module that cannot be loaded or exports no signal,
 *   CONFLICT for a name that comes twice
 */
export async function loadOwnSignals(modules: readonly string[]): Promise<readonly OwnSignal[]> {
  if (modules.length === 0) return [];
  const all: OwnSignal[] = [];
  for (const url of modules) {
    const known = loaded.get(url) ?? loadModule(url);
    loaded.set(url, known);
    all.push(...(await known));
  }
  return checkOwnSignals(all, 'the modules of --signals');
}

async function loadModule(url: string): Promise<readonly OwnSignal[]> {
  const name = decodeURIComponent(url.slice(url.lastIndexOf('/') + 1));
  let exported: Readonly<Record<string, unknown>>;
  try {
    exported = (await import(url)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (error instanceof EngineError) throw new EngineError(error.code, `${name}: ${error.message}`, error.details);
    const reason = errorMessage(error);
    throw new EngineError('INVALID_FIELD', `the module of signals ${name} cannot be loaded: ${reason}`);
  }
  // A signal may be exported twice, by name and as default.
  const values = new Set(Object.values(exported).flat());
  if (values.size === 0) throw new EngineError('INVALID_FIELD', `${name} exports no signal made with defineSignal`);
  return checkOwnSignals([...values], name);
}
