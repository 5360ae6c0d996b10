/**
 * Makes an empty embedded store and packs it, so that a first start unpacks one: creating it takes three seconds and 850 MB.
 * Only the library decides what is in it (our tables are made when it is opened), so an archive that is newer than the installed
 * packages and than this script stays.
 */
import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';

const folder = new URL('../dist/', import.meta.url);
const path = new URL('empty-store.tgz', folder);
const sources = [new URL('../node_modules/.package-lock.json', import.meta.url), new URL(import.meta.url)];

const changedMs = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs;

/** False too where npm has left no record of what is installed. */
const isFresh = sources.every((source) => changedMs(path) > changedMs(source));

if (!isFresh) {
  const { PGlite } = await import('@electric-sql/pglite'); // slow to load, so only where it is needed
  const store = await PGlite.create();
  const archive = await store.dumpDataDir('gzip');
  await store.close();
  mkdirSync(folder, { recursive: true });
  const aside = new URL('empty-store.tgz.new', folder); // half an archive would pass for a fresh one
  writeFileSync(aside, Buffer.from(await archive.arrayBuffer()));
  renameSync(aside, path);
}
