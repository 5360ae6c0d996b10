/**
 * Creates an empty embedded store and packs it. A first start then unpacks the archive, since
 * creating a store takes three seconds and 850 MB. The content depends only on the library, because
 * our tables are created when the store is opened. So an archive that is newer than the installed
 * packages and than this script stays.
 */
import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';

const folder = new URL('../dist/', import.meta.url);
const path = new URL('empty-store.tgz', folder);
const sources = [new URL('../node_modules/.package-lock.json', import.meta.url), new URL(import.meta.url)];

const changedMs = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs;

/** Also false if npm has left no record of the installed packages. */
const isFresh = sources.every((source) => changedMs(path) > changedMs(source));

if (!isFresh) {
  const { PGlite } = await import('@electric-sql/pglite'); // slow to load, so only when needed
  const store = await PGlite.create();
  const archive = await store.dumpDataDir('gzip');
  await store.close();
  mkdirSync(folder, { recursive: true });
  // A half-written archive would pass for a fresh one.
  const aside = new URL('empty-store.tgz.new', folder);
  writeFileSync(aside, Buffer.from(await archive.arrayBuffer()));
  renameSync(aside, path);
}
