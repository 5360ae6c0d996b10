import { createRequire } from 'node:module';
import type { Piscina } from 'piscina';

const require = createRequire(import.meta.url);

/** Use of the threads of a pool. */
export interface ThreadUse {
  readonly threads: number;
  readonly busy: number;
  /** Tasks that wait for a thread. */
  readonly waiting: number;
}

/** Options of this process that a thread needs to load the same code: loaders, and source maps. */
function loading(flags: readonly string[]): string[] {
  return flags.flatMap((flag, i) => {
    if (['--import', '--require', '-r'].includes(flag)) return [flag, flags[i + 1] ?? ''];
    return /^--(import=|require=|enable-source-maps$)/.test(flag) ? [flag] : [];
  });
}

/**
 * Options of Node.js for the threads of our pools. A pool first tries to `require` the file of its
 * tasks. Where Node.js can require ES modules, a thread that is ended while it does so crashes the
 * process now and then; where it cannot, the pool imports the file.
 */
export const threadFlags = [
  ...loading(process.execArgv),
  ...(process.allowedNodeEnvironmentFlags.has('--experimental-require-module')
    ? ['--no-experimental-require-module']
    : []),
];

type PoolOptions = NonNullable<ConstructorParameters<typeof Piscina>[0]>;

/**
 * A pool of threads, as all of ours are. An idle thread waits in its event loop, which costs some
 * 40 µs a task. By default the pool lets it wait in `Atomics.wait`, where a thread sometimes misses
 * the order to end; the pool then waits for that thread for ever.
 *
 * The library is loaded with the first pool, since most commands start none.
 */
export function openPool(options: PoolOptions): Piscina {
  const library = require('piscina') as typeof import('piscina');
  return new library.Piscina({ execArgv: threadFlags, atomics: 'disabled', ...options });
}
