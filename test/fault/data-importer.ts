import { writeSync } from 'node:fs';
import { openBars } from '../../data/bars/index.js';

/**
 * A process that imports, for tests to start and to kill: `data-importer.ts HOME ROUNDS
 * FILE=ASSET...`, which replaces what is stored, or `FILE+=ASSET`, which appends to it. It prints
 * `ready` before the first import, then imports the files round after round, reversing the order
 * each time.
 */
const [home, rounds, ...jobs] = process.argv.slice(2);
const store = openBars({ home: home! });
await store.check(); // loads DuckDB
writeSync(1, 'ready\n');
for (let round = 0; round < Number(rounds); round++) {
  for (const job of round % 2 === 0 ? jobs : [...jobs].reverse()) {
    const [, file, append, asset] = /^(.*?)(\+?)=(.*)$/.exec(job)!;
    await store.import(file!, { asset: asset!, [append === '+' ? 'append' : 'replace']: true });
  }
}
