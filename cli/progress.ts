import { SingleBar } from 'cli-progress';

/** A progress bar on standard error for long work; draws nothing unless that is a terminal. */
export function progress(total: number, label: string): { step(): void; stop(): void } {
  if (!process.stderr.isTTY || total < 2) return { step: () => {}, stop: () => {} };
  const bar = new SingleBar({ format: `${label} {bar} {value}/{total} {eta_formatted}`, hideCursor: true });
  bar.start(total, 0);
  return { step: () => bar.increment(), stop: () => bar.stop() };
}
