import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../../engine/errors.js';
import { Sieve, SieveForecaster, type SieveModel } from '../../engine/sieve/index.js';
import type { SweepDefinition } from '../../engine/sweep/index.js';
import { sha256 } from '../hashes/index.js';
import { errorCode } from '../outage.js';
import { ownPackage } from '../package/index.js';

/** The file of the trained model, in the folder of the bundled data. */
const MODEL_FILE = 'sieve.json';

/** A trained model of the sieve, ready to score, and the name of its content. */
interface StoredSieve {
  readonly model: SieveModel;
  readonly sieve: Sieve;
  /** `barline-sieve-1:` and the first 12 hex digits of the SHA-256 of the file. */
  readonly version: string;
}

const HASH_DIGITS = 12;

export const sievePath = (sampleDir: string): string => join(sampleDir, MODEL_FILE);

/**
 * The trained model, or null where the folder has none.
 * @throws INVALID_DATA for a file that is not a model
 */
export function readSieve(sampleDir: string): StoredSieve | null {
  const path = sievePath(sampleDir);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
  const model = parseModel(text, path);
  return { model, sieve: new Sieve(model), version: `${model.name}:${sha256(text).slice(0, HASH_DIGITS)}` };
}

function parseModel(text: string, path: string): SieveModel {
  try {
    const { name, weights } = JSON.parse(text) as Partial<SieveModel>;
    if (typeof name === 'string' && typeof weights === 'object' && weights !== null) return { name, weights };
  } catch {
    // the error below says it
  }
  throw new EngineError('INVALID_DATA', `${path} is not a model of the sieve: it must be JSON with name and weights`);
}

let bundled: StoredSieve | null = null;

/** The model that the package carries, read once in each thread that asks for it. */
export function bundledForecaster(definition: SweepDefinition): SieveForecaster | null {
  bundled ??= readSieve(join(ownPackage().root, 'sample'));
  return bundled === null ? null : new SieveForecaster(bundled.sieve, bundled.version, definition);
}
