import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { extract, type ReadEntry } from 'tar';
import { EngineError, errorMessage, quote } from '../../engine/errors.js';
import { makeFolder } from '../files.js';
import { moveIn, removeUnpacked } from '../home-moves.js';
import { RESTORE } from '../moves-left.js';
import { checkArchive } from './check-archive.js';
import { FILES, isPassing, type Manifest, STATE } from './form.js';
import { readLines } from './lines.js';
import { unpacked } from './unpacked.js';
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
