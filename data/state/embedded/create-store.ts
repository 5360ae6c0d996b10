/**
 * Unpacks the empty store that comes with the package into the folder given as argument, and ends.
 * Run in a process of its own, which takes the memory that this needs with it.
 */
import { readFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';

const dist = import.meta.url.endsWith('.ts') ? '../../../dist/' : '../../../';
const archive = new Blob([await readFile(new URL(`${dist}empty-store.tgz`, import.meta.url))]);

// biome-ignore lint/style/noNonNullAssertion: the parent starts this process with the path
const store = await PGlite.create(process.argv[2]!, { loadDataDir: archive });
await store.close();
