import { open } from 'node:fs/promises';
import { list, type ReadEntry } from 'tar';
import { EngineError, quote } from '../../engine/errors.js';
import { FILES, FORM, isPassing, MANIFEST, type Manifest, manifestShape, STATE } from './form.js';

/** A list of 100,000 files takes some 15 MB. */
const MANIFEST_BYTES_MAX = 64 * 1024 * 1024;
const PATH_LENGTH_MAX = 1_024;

interface Entry {
  readonly path: string;
  readonly bytes: number;
}

/**
 * Reads the list of an archive and compares it with the headers of the entries. Nothing is written:
 * an archive that holds anything but the files of its list, under names that a backup can have, is
 * refused before it is unpacked.
 *
 * @throws INVALID_DATA naming the entry that is wrong; CONFLICT for an archive of another form
 */
export async function checkArchive(file: string): Promise<Manifest> {
  const damaged = (what: string): EngineError =>
    new EngineError('INVALID_DATA', `${file} is damaged: ${what}`, { file });
  const isNone = (): EngineError =>
    new EngineError('INVALID_DATA', `${file} is not a backup of Barline: a tar archive, not compressed`, { file });
  if (!(await isPlainTar(file))) throw isNone();
  const { entries, text, problem } = await listEntries(file).catch((error: Error) => {
    throw damaged(error.message);
  });
  if (problem !== null) throw damaged(problem);
  if (text === null) throw isNone();
  const manifest = readManifest(text, file, damaged);
  const wrong = comparison(manifest, entries);
  if (wrong !== null) throw damaged(wrong);
  return manifest;
}

/**
 * The library would also unpack a compressed archive, and a few bytes of one could fill the disk.
 */
async function isPlainTar(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(512), 0, 512, 0);
    return buffer.toString('latin1', 257, 262) === 'ustar';
  } finally {
    await file.close();
  }
}

/** The entries by their headers, with the text of the list. */
async function listEntries(file: string) {
  const entries: Entry[] = [];
  const chunks: Buffer[] = [];
  let problem: string | null = null;
  let isRead = false;
  const onReadEntry = (entry: ReadEntry): void => {
    problem ??= entryProblem(entry);
    if (entry.type === 'Directory') return; // of an archive that was packed again
    entries.push({ path: entry.path, bytes: entry.size });
    if (entry.path !== MANIFEST || isRead || problem !== null) return;
    isRead = true;
    entry.on('data', (chunk: Buffer) => chunks.push(chunk));
  };
  await list({ file, strict: true, onReadEntry });
  return { entries, problem, text: isRead ? Buffer.concat(chunks).toString('utf8') : null };
}

function entryProblem({ path, type, size }: ReadEntry): string | null {
  const name = quote(path);
  if (type === 'Directory') return isOwnFolder(path) ? null : `${name} is no folder of a backup`;
  if (type !== 'File' && type !== 'OldFile') return `${name} must be a file, is of the type ${type}`;
  if (path.length > PATH_LENGTH_MAX) {
    return `${name} must have at most ${PATH_LENGTH_MAX} characters, has ${path.length}`;
  }
  if (path === MANIFEST && size > MANIFEST_BYTES_MAX) {
    return `${MANIFEST} must have at most ${MANIFEST_BYTES_MAX} bytes, has ${size}`;
  }
  return isOwnPath(path) ? null : `${name} is no path of a backup`;
}

/** Whether a backup can hold this path: relative, below the folder of the home, nothing passing. */
function isOwnPath(path: string): boolean {
  if (path === MANIFEST || path === STATE) return true;
  const [first, ...names] = path.split('/');
  return first === FILES && names.length > 0 && names.every(isOwnName);
}

const isOwnFolder = (path: string): boolean => path.replace(/\/$/, '') === FILES || isOwnPath(path.replace(/\/$/, ''));

const isOwnName = (name: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no name may hold
  name !== '' && name !== '.' && name !== '..' && !/[\\\x00-\x1f\x7f]/.test(name) && !isPassing(name);

function readManifest(text: string, file: string, damaged: (what: string) => EngineError): Manifest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw damaged(`${MANIFEST} is not JSON`);
  }
  const form = typeof json === 'object' && json !== null && 'form' in json ? json.form : undefined;
  if (typeof form === 'number' && form !== FORM) {
    throw new EngineError('CONFLICT', `${file} has form ${form}; this version reads form ${FORM}`, { file });
  }
  const { data, error } = manifestShape.safeParse(json);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw damaged(`${MANIFEST} ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is wrong'}`);
}

/** The first difference between the list and the entries of an archive, or null. */
function comparison({ files }: Manifest, entries: readonly Entry[]): string | null {
  const listed = new Map(files.map(({ path, bytes }) => [path, bytes]));
  if (listed.size < files.length) return `${MANIFEST} names a file twice`;
  if (!listed.has(STATE)) return `${MANIFEST} does not name ${STATE}`;
  if (listed.has(MANIFEST)) return `${MANIFEST} names itself`;
  // Some file systems take these names for one.
  const seen = new Set<string>();
  for (const { path, bytes } of entries) {
    const folded = path.normalize('NFC').toLowerCase();
    if (seen.has(folded)) return `${quote(path)} is there twice`;
    seen.add(folded);
    if (path === MANIFEST) continue;
    const size = listed.get(path);
    if (size === undefined) return `${quote(path)} is not in its list`;
    if (size !== bytes) return `${quote(path)} must have ${size} bytes, has ${bytes}`;
    listed.delete(path);
  }
  const [missing] = listed.keys();
  return missing === undefined ? null : `${quote(missing)} is missing`;
}
