import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar';
import { EngineError } from '../../engine/errors.js';
import { FILES, FORM, isPassing, MANIFEST, type Manifest, STATE } from './form.js';
import { linesOf } from './lines.js';
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
 * Puts the content of an archive into a home. Everything is unpacked and checked beside it first,
 * so an archive that is damaged, or of a later version, changes nothing. The caller holds the home.
 * @returns the manifest, and where the former content of the home is: null if it was empty
 * @throws INVALID_DATA naming what is damaged; CONFLICT for a home with files
 */
export async function readBackup({
  file,
  home,
  isForced,
  nowMs,
  restoreState,
}: RestoreRequest): Promise<{ readonly manifest: Manifest; readonly formerContent: string | null }> {
  if ((await stat(file).catch(() => null)) === null) throw new EngineError('NOT_FOUND', `there is no file ${file}`);
  const present = (await readdir(home).catch(() => [])).filter((name) => name === 'state' || !isPassing(name));
  if (present.length > 0 && !isForced) {
    const message = `${home} is not empty: it holds ${present.slice(0, 5).join(', ')}; --force moves that aside`;
    throw new EngineError('CONFLICT', message, { home });
  }
  const aside = join(home, `.restore-${process.pid}-${nowMs}`);
  await mkdir(aside, { recursive: true, mode: 0o700 });
  try {
    const manifest = await unpack(file, aside);
    const store = join(aside, 'store');
    await mkdir(store, { mode: 0o700 });
    const text = createReadStream(join(aside, STATE)).pipe(createGunzip());
    await restoreState(store, linesOf(text));
    const formerContent = present.length === 0 ? null : await moveAside(home, present, nowMs);
    // A home without files has no folder in the archive.
    await mkdir(join(aside, FILES), { recursive: true });
    for (const folder of [join(aside, FILES), store]) {
      for (const name of await readdir(folder)) {
        if (name === 'state' || !isPassing(name)) await rename(join(folder, name), join(home, name));
      }
    }
    return { manifest, formerContent };
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** Unpacks the archive and compares every file with the manifest. */
async function unpack(file: string, aside: string): Promise<Manifest> {
  const damaged = (what: string): EngineError =>
    new EngineError('INVALID_DATA', `${file} is damaged: ${what}`, { file });
  try {
    await extract({
      file,
      cwd: aside,
      strict: true,
      filter: (_, entry) => !('type' in entry) || entry.type === 'File',
    });
  } catch (error) {
    throw damaged((error as Error).message);
  }
  const text = await readFile(join(aside, MANIFEST), 'utf8').catch(() => null);
  if (text === null) throw new EngineError('INVALID_DATA', `${file} is not a backup of Barline`, { file });
  const manifest = parsed(text);
  if (manifest === null) throw damaged(`${MANIFEST} is not JSON`);
  if (manifest.form !== FORM) {
    throw new EngineError('CONFLICT', `${file} has form ${manifest.form}; this version reads form ${FORM}`, { file });
  }
  for (const listed of manifest.files) {
    const found = await describe(aside, listed.path).catch(() => null);
    if (found === null) throw damaged(`${listed.path} is missing`);
    if (found.sha256 !== listed.sha256) throw damaged(`${listed.path} differs from its hash`);
  }
  return manifest;
}

function parsed(text: string): Manifest | null {
  try {
    return JSON.parse(text) as Manifest | null;
  } catch {
    return null;
  }
}

async function moveAside(home: string, names: readonly string[], nowMs: number): Promise<string> {
  const former = join(home, `before-restore-${new Date(nowMs).toISOString().replace(/[:.]/g, '-')}`);
  await mkdir(former, { mode: 0o700 });
  for (const name of names) await rename(join(home, name), join(former, name));
  return former;
}
