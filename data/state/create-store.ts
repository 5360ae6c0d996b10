/**
 * Creates an embedded store in the folder given as argument, and ends. Run in a process of its own: a first open takes 850 MB,
 * which the server would keep for good.
 */
import { PGlite } from '@electric-sql/pglite';

const store = await PGlite.create(process.argv[2]!);
await store.close();
