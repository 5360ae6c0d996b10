import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { extract, type ReadEntry } from 'tar';
import { EngineError, errorMessage, quote } from '../../engine/errors.js';
import { makeFolder } from '../files.js';
import { moveIn, removeUnpacked } from '../home-moves.js';
import { RESTORE } from '../moves-left.js';
import { checkArchive } from './check-archive.js';
import { FILES, isPassing, type Manifest, STATE } from './form.js';
import { describe } from './write-backup.js';

interface RestoreRequest {
  readonly file: string;
  readonly home: string;
  /** Whether the home may hold files; they are moved into a folder of its own. */
  readonly isForced: boolean;
  readonly nowMs: number;
  /** Fills the state of the folder, or of a server. Called once all files are checked. */
  readonly restoreState: (folder: string, lines: AsyncGenerator<string>) => Promise<void>;
}

/**
 * Puts the content of an archive into a home. Everything is checked and unpacked beside it first,
 * so an archive that is damaged, not of a backup, or of a later version, changes nothing. The
 * caller holds the home.
 * @returns the manifest, and where the former content of the home is: null if it was empty
 * @throws INVALID_DATA naming the damaged part; CONFLICT for a home with files
 */
export async function readBackup({
  file,
  home,
  isForced,
  nowMs,
  restoreState,
}: RestoreRequest): Promise<{ readonly manifest: Manifest; readonly formerContent: string | null }> {
  const found = await stat(file).catch(() => null);
  if (found === null) throw new EngineError('NOT_FOUND', `there is no file ${file}`);
  if (!found.isFile()) throw new EngineError('INVALID_DATA', `${file} is not a file`);
  const leaving = (await readdir(home).catch(() => [])).filter((name) => name === 'state' || !isPassing(name));
  if (leaving.length > 0 && !isForced) {
    const message = `${home} is not empty: it holds ${leaving.slice(0, 5).join(', ')}; --force moves that aside`;
    throw new EngineError('CONFLICT', message, { home });
  }
  const manifest = await checkArchive(file);
  await removeUnpacked(home);
  const aside = `${RESTORE}${process.pid}-${nowMs}`;
  try {
    await makeFolder(join(home, aside, STORE), 0o700);
    await unpack(file, manifest, join(home, aside));
    const text = unpacked(createReadStream(join(home, aside, STATE)), STATE);
    await restoreState(join(home, aside, STORE), readLines(text));
    const former =
      leaving.length === 0 ? null : `before-restore-${new Date(nowMs).toISOString().replace(/[:.]/g, '-')}`;
    await moveIn(home, { aside, former, leaving, coming: await comingFrom(join(home, aside)) });
    return { manifest, formerContent: former === null ? null : join(home, former) };
  } catch (error) {
    await removeUnpacked(home);
    throw error;
  }
}

/** Folder beside the files of the archive that gets the embedded store. */
const STORE = 'store';

/** What of a restore's folder goes into the home, by its name there. */
async function comingFrom(aside: string): Promise<Record<string, string>> {
  const coming: [string, string][] = [];
  for (const folder of [FILES, STORE]) {
    // A home without files has no folder in the archive.
    for (const name of await readdir(join(aside, folder)).catch(() => [])) {
      if (name === 'state' || !isPassing(name)) coming.push([name, `${folder}/${name}`]);
    }
  }
  return Object.fromEntries(coming);
}

/** Unpacks the files of the list and compares each with its hash. */
async function unpack(file: string, { files }: Manifest, aside: string): Promise<void> {
  const damaged = (what: string): EngineError =>
    new EngineError('INVALID_DATA', `${file} is damaged: ${what}`, { file });
  const names = new Set(files.map(({ path }) => path));
  try {
    await extract({
      file,
      cwd: aside,
      strict: true,
      preserveOwner: false,
      filter: (path, entry) => names.has(path) && isFile(entry as ReadEntry),
    });
  } catch (error) {
    throw damaged(errorMessage(error));
  }
  for (const { path, sha256 } of files) {
    const found = await describe(aside, path).catch(() => null);
    if (found === null) throw damaged(`${quote(path)} is missing`);
    if (found.sha256 !== sha256) throw damaged(`${quote(path)} differs from its hash`);
  }
}

/** Whether an entry is a file. It is unpacked as one that its owner can read, and none can run. */
function isFile(entry: ReadEntry): boolean {
  entry.mode = ((entry.mode ?? 0) & 0o666) | 0o600;
  return entry.type === 'File' || entry.type === 'OldFile';
}

/** Compressed text may be this short. */
const FREE_BYTES = 64 * 1024 * 1024;
/** Rows of a state compress to a tenth; a bomb to a thousandth. */
const RATIO_MAX = 200;

/**
 * What a gzip stream holds.
 * @throws INVALID_DATA once it holds far more than its length makes plausible, or is damaged
 */
async function* unpacked(source: Readable, name: string): AsyncGenerator<Buffer> {
  let read = 0;
  let bytes = 0;
  source.on('data', (chunk: Buffer) => {
    read += chunk.length;
  });
  const gunzip = createGunzip();
  source.once('error', (error) => gunzip.destroy(error));
  try {
    for await (const chunk of source.pipe(gunzip) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      const most = Math.max(FREE_BYTES, read * RATIO_MAX);
      if (bytes > most) throw invalid(`${name} must unpack to at most ${most} bytes, has more`);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw invalid(`${name} cannot be unpacked: ${errorMessage(error)}`);
  } finally {
    source.destroy();
  }
}

const invalid = (message: string): EngineError => new EngineError('INVALID_DATA', message);

/** No row of a state comes near. */
const LINE_LENGTH_MAX = 64 * 1024 * 1024;

/**
 * The lines of a text. The lines of `readline` also end at separators that stand within JSON.
 * @throws INVALID_DATA for a line that no state has
 */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let length = 0;
  let count = 0;
  for await (const chunk of chunks) {
    const [first = '', ...lines] = decoder.decode(chunk, { stream: true }).split('\n');
    parts.push(first);
    length += first.length;
    if (length > LINE_LENGTH_MAX) {
      const rule = `must have at most ${LINE_LENGTH_MAX} characters, has more`;
      throw new EngineError('INVALID_DATA', `line ${count + 1} of the state ${rule}`);
    }
    for (const line of lines) {
      count++;
      yield parts.join('');
      parts = [line];
      length = line.length;
    }
  }
  parts.push(decoder.decode());
  const rest = parts.join('');
  if (rest !== '') yield rest;
}
