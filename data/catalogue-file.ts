import { statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError, isRecord, quote } from '../engine/errors.js';
import { replaceFile } from './files.js';
import { errorCode } from './outage.js';

/** A `catalogue.json`: a list of entries that describe the files beside it. */

/** By field of an entry: whether its value is right. */
export type EntryRules = Readonly<Record<string, (value: unknown) => boolean>>;

const VERSION = 1;
const fileIn = (folder: string) => join(folder, 'catalogue.json');

/**
 * The entries of the catalogue in `folder`; empty when there is no catalogue.
 *
 * @param kind completes "is not", as in "a catalogue of bars"
 * @param rules of the fields of `Entry`
 * @throws INVALID_DATA naming the file when it is not such a catalogue
 */
export async function readEntries<Entry>(folder: string, kind: string, rules: EntryRules): Promise<readonly Entry[]> {
  const path = fileIn(folder);
  const refuse = (rule: string): never => {
    throw new EngineError('INVALID_DATA', `${path} ${rule}`, { path });
  };
  let content: unknown;
  try {
    content = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    return refuse(error instanceof SyntaxError ? 'is not valid JSON' : `cannot be read (${errorCode(error)})`);
  }
  if (!isRecord(content) || !Array.isArray(content.entries)) return refuse(`is not ${kind}`);
  if (content.version !== VERSION) return refuse(`must be of version ${VERSION}, was ${quote(content.version)}`);
  for (const [index, entry] of content.entries.entries()) {
    const broken = isRecord(entry)
      ? // biome-ignore lint/style/noNonNullAssertion: the field is a key of this table
        Object.keys(rules).find((field) => !rules[field]!(entry[field]))
      : 'entry';
    if (broken !== undefined) refuse(`entry ${index + 1}: ${broken} is missing or wrong`);
  }
  return content.entries as Entry[];
}

/**
 * Returns a function that gives what `read` made of the catalogues in these folders, and reads them
 * again once one of them was replaced. Its callers share the value and must not change it.
 */
export function whileUnchanged<Value>(folders: readonly string[], read: () => Promise<Value>): () => Promise<Value> {
  let held: { readonly stamps: string; readonly value: Promise<Value> } | null = null;
  return () => {
    // Before reading: a catalogue that is replaced meanwhile differs from its stamp next time.
    const stamps = folders.map(stamp).join(' ');
    if (held?.stamps === stamps) return held.value;
    const value = read();
    held = { stamps, value };
    value.catch(() => {
      if (held?.value === value) held = null; // the next call tries again
    });
    return value;
  };
}

/**
 * Changes when the catalogue is replaced, since that gives it another file. Asked at once and not
 * through the pool of Node.js, which takes ten times as long for it.
 */
function stamp(folder: string): string {
  try {
    const found = statSync(fileIn(folder), { bigint: true, throwIfNoEntry: false });
    return found === undefined ? 'none' : [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join('/');
  } catch {
    return 'unreadable'; // `read` says why
  }
}

/** Replaces the catalogue in `folder` by one with these entries. The caller holds its lock. */
export async function writeEntries(folder: string, entries: readonly object[]): Promise<void> {
  const text = `${JSON.stringify({ version: VERSION, entries }, null, 1)}\n`;
  await replaceFile(fileIn(folder), (path) => writeFile(path, text));
}

export const isCount = (value: unknown) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
export const isTime = (value: unknown) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) && value.endsWith('Z');
export const isText = (value: unknown) => typeof value === 'string';
export const isOptionalText = (value: unknown) => value === undefined || isText(value);
export const isHash = (value: unknown) => isText(value) && /^[0-9a-f]{64}$/.test(value);
/** Never a path. */
export const isFileName = (value: unknown) => isText(value) && /^[A-Za-z0-9][A-Za-z0-9._-]*\.parquet$/.test(value);
