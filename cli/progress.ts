import { createRequire } from 'node:module';
import type { Options, SingleBar } from 'cli-progress';

const require = createRequire(import.meta.url);

/** A bar of the library, which is loaded with the first of them. */
export function openBar(options: Options): SingleBar {
  const library = require('cli-progress') as typeof import('cli-progress');
  return new library.SingleBar({ hideCursor: true, ...options });
}

/** A progress bar on standard error for long work; draws nothing unless that is a terminal. */
export function progress(total: number, label: string): { step(): void; stop(): void } {
  if (!process.stderr.isTTY || total < 2) return { step: () => {}, stop: () => {} };
  const bar = openBar({ format: `${label} {bar} {value}/{total} {eta_formatted}` });
  bar.start(total, 0);
  return { step: () => bar.increment(), stop: () => bar.stop() };
}
