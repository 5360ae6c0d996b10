import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, link, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { create } from 'tar';
import { makeFolder, replaceFile } from '../files.js';
import { withLock } from '../lock.js';
import { type BackupFile, FILES, FORM, isPassing, MANIFEST, type Manifest, STATE } from './form.js';

interface BackupRequest {
  readonly home: string;
  readonly file: string;
  /** The state as lines, all of one moment. */
  readonly state: AsyncIterable<string>;
  readonly version: string;
  readonly nowMs: number;
}

/** Folders with a catalogue, whose files change only under its lock. */
const catalogued = ['bars', 'columns'];

/**
 * Writes one archive of the state and of the files of a home, while other processes write both. The
 * state comes first: files that it names exist by then, and stay for an hour after they are
 * replaced. Files appear whole or not at all and are never changed, so links to them hold what they
 * held at that moment.
 */
export async function writeBackup({ home, file, state, version, nowMs }: BackupRequest): Promise<Manifest> {
  await makeFolder(home);
  const aside = join(home, `.backup-${process.pid}-${nowMs}`);
  await makeFolder(join(aside, FILES), 0o700);
  try {
    const withEnds = async function* (): AsyncGenerator<string> {
      for await (const line of state) yield `${line}\n`;
    };
    await pipeline(Readable.from(withEnds()), createGzip(), createWriteStream(join(aside, STATE), { mode: 0o600 }));
    for (const name of await namesIn(home)) {
      const take = () => linkAll(join(home, name), join(aside, FILES, name));
      if (catalogued.includes(name)) await withLock(join(home, name, 'catalogue.lock'), take);
      else await take();
    }
    const files: BackupFile[] = [];
    for (const path of [STATE, ...(await filesBelow(aside, FILES))]) files.push(await describe(aside, path));
    const manifest: Manifest = { form: FORM, version, createdAt: new Date(nowMs).toISOString(), files };
    await writeFile(join(aside, MANIFEST), JSON.stringify(manifest));
    const members = [MANIFEST, ...files.map(({ path }) => path)];
    await replaceFile(file, (partial) => create({ file: partial, cwd: aside, mode: 0o600, portable: true }, members));
    return manifest;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => !isPassing(name)).sort();

/** Links a file, or all files below a folder. What disappears meanwhile was replaced. */
async function linkAll(from: string, to: string): Promise<void> {
  const found = await stat(from).catch(orGone);
  if (found === null) return;
  if (found.isDirectory()) {
    await makeFolder(to);
    for (const name of await namesIn(from)) await linkAll(join(from, name), join(to, name));
  } else if (found.isFile()) {
    await link(from, to)
      .catch((error: NodeJS.ErrnoException) => {
        if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EXDEV'].includes(error.code ?? '')) throw error;
        return copyFile(from, to);
      })
      .catch(orGone);
  }
}

function orGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

async function filesBelow(root: string, path: string): Promise<string[]> {
  const entries = await readdir(join(root, path), { withFileTypes: true });
  const found = entries.map(async (entry) =>
    entry.isDirectory() ? filesBelow(root, `${path}/${entry.name}`) : [`${path}/${entry.name}`],
  );
  return (await Promise.all(found)).flat().sort();
}

/** Size and hash of a file of the archive. */
export async function describe(root: string, path: string): Promise<BackupFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(join(root, path)) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { path, bytes, sha256: hash.digest('hex') };
}
