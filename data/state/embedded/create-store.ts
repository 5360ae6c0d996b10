/**
 * Unpacks the empty store of the package into the folder given as argument, and exits. It runs in a
 * separate process, whose end frees the memory that this takes.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { ownPackage } from '../../package/index.js';

const archive = new Blob([await readFile(join(ownPackage().root, 'dist/empty-store.tgz'))]);

// biome-ignore lint/style/noNonNullAssertion: the parent starts this process with the path
const store = await PGlite.create(process.argv[2]!, { loadDataDir: archive });
await store.close();
