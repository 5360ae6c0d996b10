import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { makeFolder } from '../files.js';
import { errorCode } from '../outage.js';
import type { BarRow } from './provider.js';

/** Identifies the fetch of a part file. A fetch resumes a part only when all fields are equal. */
export interface PartKey {
  readonly version: 1;
  readonly exchange: string;
  readonly via: string;
  readonly symbol: string;
  readonly asset: string;
  readonly interval: string;
  readonly startMs: number;
  /** Content hash of the stored bars that the fetch extends; empty without stored bars. */
  readonly extends: string;
}

interface PartPage {
  /** Index of the page's stretch. */
  readonly stretch: number;
  /** Where the next page begins. */
  readonly nextMs: number;
  readonly rows: readonly BarRow[];
}

/**
 * The pages of an unfinished fetch: a file of lines, each with a checksum and JSON. The first line
 * is the key. Each line is appended and synced before the next page is requested. A line that a
 * crash cut short fails its checksum and is removed.
 */
export interface PartFile {
  /** Pages that an earlier run fetched. */
  readonly pages: readonly PartPage[];
  append(page: PartPage): Promise<void>;
  /** Closes the file and leaves it for a later run. */
  close(): Promise<void>;
  /** Closes and removes the file: its bars are stored. */
  remove(): Promise<void>;
}

export const partName = (key: PartKey): string =>
  `${key.exchange}-${key.asset}-${key.interval}-${digest(JSON.stringify(key)).slice(0, 12)}.part`;

const CHECKSUM_LENGTH = 16;
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const checkedLine = (value: unknown): string => {
  const text = JSON.stringify(value);
  return `${digest(text).slice(0, CHECKSUM_LENGTH)} ${text}\n`;
};

export async function openPart(path: string, key: PartKey): Promise<PartFile> {
  await makeFolder(dirname(path));
  const { pages, soundBytes } = await readPart(path, key);
  const file = await open(path, 'a');
  try {
    await truncate(path, soundBytes);
    if (soundBytes === 0) await addLine(file, key);
  } catch (error) {
    await file.close();
    throw error;
  }
  return {
    pages,
    append: (page) => addLine(file, page),
    close: () => file.close(),
    async remove() {
      await file.close();
      await rm(path, { force: true });
    },
  };
}

async function addLine(file: FileHandle, value: unknown): Promise<void> {
  await file.appendFile(checkedLine(value));
  await file.datasync();
}

/** The sound lines at the start of a file; none without a file, or when its key differs. */
async function readPart(path: string, key: PartKey): Promise<{ pages: PartPage[]; soundBytes: number }> {
  const pages: PartPage[] = [];
  let soundBytes = 0;
  for await (const line of completeLines(path)) {
    const value = soundValue(line);
    if (value === undefined) break;
    if (soundBytes > 0) pages.push(value as PartPage);
    else if (!isDeepStrictEqual(value, key)) break;
    soundBytes += Buffer.byteLength(line) + 1;
  }
  return { pages, soundBytes };
}

/** Complete lines; anything after the last newline is dropped. */
async function* completeLines(path: string): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n');
      // biome-ignore lint/style/noNonNullAssertion: split returns at least one part
      rest = lines.pop()!;
      yield* lines;
    }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

function soundValue(line: string): unknown {
  const text = line.slice(CHECKSUM_LENGTH + 1);
  return line.slice(0, CHECKSUM_LENGTH) === digest(text).slice(0, CHECKSUM_LENGTH) ? JSON.parse(text) : undefined;
}
