import { createReadStream, existsSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import { decodeJson } from '../data/json-text.js';
import { errorCode } from '../data/outage.js';
import { EngineError, errorMessage, isRecord, quote } from '../engine/errors.js';

const STDIN = '-';

/** Parsed JSON of a file, or of standard input for `-`. */
export async function readJson(path: string, what: string): Promise<unknown> {
  const source = path === STDIN ? 'standard input' : basename(path);
  const content = await readText(path, what);
  try {
    return finite(JSON.parse(content), what);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const reason = firstLine(errorMessage(error));
    throw new EngineError('INVALID_FIELD', `${what} ${source} must be JSON: ${reason}`, { field: what });
  }
}

/** Refuses numbers too large for a double, such as 1e999, which later steps would take for none. */
function finite(json: unknown, name: string): unknown {
  const left: [field: string, value: unknown][] = [[name, json]]; // no recursion, as nesting may be deep
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [field, value] = next;
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw new EngineError('INVALID_FIELD', `${field} must be a finite number, was ${value}`, { field });
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, item] of Object.entries(value)) {
      if (typeof item === 'number' ? !Number.isFinite(item) : typeof item === 'object')
        left.push([`${field}.${key}`, item]);
    }
  }
  return json;
}

const MEBIBYTE = 1024 * 1024;
/** Inputs with bars, masks or results; `simulate` reads half a million bars in 64 MB. */
const BULK_BYTES_MAX = 64 * MEBIBYTE;
const BYTES_MAX = 4 * MEBIBYTE;
const bulky: readonly string[] = ['requests', 'run'];

async function readText(path: string, what: string): Promise<string> {
  const most = bulky.includes(what) ? BULK_BYTES_MAX : BYTES_MAX;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of path === STDIN ? process.stdin : createReadStream(path)) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes <= most) continue;
      const source = path === STDIN ? 'standard input' : quote(path);
      throw new EngineError('INVALID_FIELD', `${what} ${source} must have at most ${most} bytes, has more`, {
        field: what,
      });
    }
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const code = errorCode(error);
    if (code === 'ENOENT') throw new EngineError('NOT_FOUND', `${what} ${quote(path)} does not exist`, { field: what });
    throw new EngineError('INVALID_FIELD', `${what} ${quote(path)} cannot be read (${code})`, { field: what });
  }
  return decodeJson(Buffer.concat(chunks));
}

export const firstLine = (message: string): string =>
  message
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .join(' ')
    .trim();

/**
 * Execution settings from `--config`. Each item is a JSON file or `key=value`; later items win. A
 * value that parses as JSON is JSON, any other is text. A dotted key reaches into an object
 * (`cooldown_config.1h.short_loss_limit=3`).
 */
export async function readConfig(items: readonly string[]): Promise<Record<string, unknown>> {
  const config: Record<string, unknown> = {};
  for (const item of items) {
    const assignment = /^([A-Za-z_][\w.]*)=(.*)$/s.exec(item);
    if (assignment) {
      // biome-ignore lint/style/noNonNullAssertion: both groups are part of every match
      assign(config, assignment[1]!.split('.'), finite(parseValue(assignment[2]!), assignment[1]!), item);
      continue;
    }
    const json = await readJson(item, 'config');
    if (!isRecord(json)) {
      throw new EngineError('INVALID_FIELD', `config ${quote(item)} must hold a JSON object, holds ${quote(json)}`);
    }
    for (const [key, value] of Object.entries(json)) define(config, key, value);
  }
  return config;
}

function parseValue(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Plain assignment to `__proto__` would change the prototype. */
const define = (target: Record<string, unknown>, key: string, value: unknown) =>
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });

function assign(target: Record<string, unknown>, path: readonly string[], value: unknown, item: string): void {
  const [key, ...rest] = path as [string, ...string[]];
  if (rest.length === 0) {
    define(target, key, value);
    return;
  }
  const inner = Object.hasOwn(target, key) ? target[key] : undefined;
  if (inner !== undefined && (typeof inner !== 'object' || inner === null)) {
    throw new EngineError('INVALID_FIELD', `config ${quote(item)}: ${key} is not an object`);
  }
  const copy = { ...(inner as Record<string, unknown> | undefined) };
  define(target, key, copy);
  assign(copy, rest, value, item);
}

/**
 * The files that arguments name. A shell resolves most patterns; one in quotes, or in a shell that
 * does not, is resolved here, in the order of names.
 * @throws NOT_FOUND for a pattern without files
 */
export async function findFiles(given: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of given) {
    if (existsSync(path) || !/[*?[\]{}]/.test(path)) found.push(path);
    else {
      const { glob } = await import('tinyglobby');
      const names = await glob(path, { absolute: isAbsolute(path), expandDirectories: false });
      if (names.length === 0) throw new EngineError('NOT_FOUND', `no file matches ${quote(path)}`, { field: 'files' });
      found.push(...names.sort());
    }
  }
  return [...new Set(found)];
}

/** Parses an option as a whole number within min..max. */
export function parseWhole(value: string, field: string, min: number, max: number): number {
  const number = /^\d+$/.test(value.trim()) ? Number(value) : NaN;
  if (number >= min && number <= max) return number;
  throw new EngineError('INVALID_FIELD', `${field} must be a whole number ${min}..${max}, was ${quote(value)}`, {
    field,
  });
}

/**
 * Requires an option. Commander would report a missing option before a mistyped one; this check
 * runs after parsing, so the user sees the typo first.
 */
export function requireOption(name: string, value: string | undefined): string {
  if (value === undefined) throw new EngineError('MISSING_FIELD', `${name} is required`, { field: name });
  return value;
}
