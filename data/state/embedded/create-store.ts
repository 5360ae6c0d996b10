/**
 * Unpacks the empty store of the package into the folder given as argument, and exits. It runs in a
 * separate process, whose end frees the memory that this takes.
 */
import { readFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';

const dist = import.meta.url.endsWith('.ts') ? '../../../dist/' : '../../../';
const archive = new Blob([await readFile(new URL(`${dist}empty-store.tgz`, import.meta.url))]);

// biome-ignore lint/style/noNonNullAssertion: the parent starts this process with the path
const store = await PGlite.create(process.argv[2]!, { loadDataDir: archive });
await store.close();
