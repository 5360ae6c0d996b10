import { existsSync, readFileSync } from 'node:fs';

export const noResidentMemory = existsSync('/proc/self/status') ? false : 'needs /proc to see memory of a process';

/** Resident memory of a process in MB, 0 after it has ended. */
export function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

const SAMPLE_MS = 200;
/** Share of the work during which heaps, database buffers and the like grow to their size. */
const WARM_UP = 0.35;

export interface MemoryTrend {
  /**
   * MB: at the start, the medians of the first and of the last part after warm-up, the most at any
   * time.
   */
  readonly start: number;
  readonly warm: number;
  readonly end: number;
  readonly peak: number;
}

/**
 * Does work and samples the resident memory of a process meanwhile.
 * @param work calls its argument with the share of the work that is done
 */
export async function memoryTrend(
  pid: number,
  work: (tell: (share: number) => void) => Promise<void>,
): Promise<MemoryTrend> {
  const samples: { readonly share: number; readonly mb: number }[] = [];
  let share = 0;
  const sample = () => samples.push({ share, mb: residentMb(pid) });
  sample();
  const timer = setInterval(sample, SAMPLE_MS);
  try {
    await work((done) => {
      share = done;
    });
  } finally {
    clearInterval(timer);
  }
  const between = (from: number, to: number) =>
    median(samples.filter((one) => one.share >= from && one.share < to).map(({ mb }) => mb));
  const part = (1 - WARM_UP) / 3;
  return {
    start: samples[0]!.mb,
    warm: between(WARM_UP, WARM_UP + part),
    end: between(1 - part, Infinity),
    peak: Math.max(...samples.map(({ mb }) => mb)),
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? NaN;
}
