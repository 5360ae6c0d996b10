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
const flags = [
  ...loading(process.execArgv),
  ...(process.allowedNodeEnvironmentFlags.has('--experimental-require-module')
    ? ['--no-experimental-require-module']
    : []),
];

/**
 * Options of all our pools. An idle thread waits in its event loop, which costs some 40 µs a task.
 * By default the pool lets it wait in `Atomics.wait`, where a thread sometimes misses the order to
 * end; the pool then waits for that thread for ever.
 */
export const threadOptions = { execArgv: flags, atomics: 'disabled' as const };
