// Slow on purpose: every close rebuilds all from the bars known then, so looking ahead is
// impossible.
import type { RefBar } from './execution.js';

/** Coarse bars of the given base bars, complete or not, each named by the start of its bucket. */
function aggregateBars(bars: RefBar[], coarseMs: number): RefBar[] {
  // Weeks open on Monday, and the epoch was a Thursday.
  const origin = coarseMs === 7 * 86_400_000 ? Date.UTC(1970, 0, 5) : 0;
  const coarse: RefBar[] = [];
  for (const bar of bars) {
    const bucketStart = Math.floor((bar.t - origin) / coarseMs) * coarseMs + origin;
    const last = coarse[coarse.length - 1];
    if (last === undefined || last.t !== bucketStart) {
      coarse.push({ t: bucketStart, o: bar.o, h: bar.h, l: bar.l, c: bar.c, v: bar.v });
    } else {
      last.h = Math.max(last.h, bar.h);
      last.l = Math.min(last.l, bar.l);
      last.c = bar.c;
      last.v = last.v + bar.v;
    }
  }
  // A bucket that the data enters half-way would have a wrong open and range.
  if (bars.length > 0 && bars[0]!.t !== coarse[0]!.t) coarse.shift();
  return coarse;
}

/** The coarse bars that exist at the close of the last of the given base bars. */
export function visibleCoarseBars(known: RefBar[], intervalMs: number, coarseMs: number): RefBar[] {
  if (coarseMs < intervalMs) throw new Error('a coarse timeframe cannot be finer than the interval');
  if (coarseMs === intervalMs) return known;
  if (known.length === 0) return [];
  const now = known[known.length - 1]!.t + intervalMs;
  return aggregateBars(known, coarseMs).filter((bar) => bar.t + coarseMs <= now);
}

/** The value of a coarse rule at the close of every base bar. */
export function alignRule(
  bars: RefBar[],
  intervalMs: number,
  coarseMs: number,
  kind: 'TRIGGER' | 'FILTER',
  evaluate: (coarsePrefix: RefBar[]) => boolean,
): boolean[] {
  const aligned: boolean[] = [];
  let newest: number | null = null;
  let value = false;
  for (let i = 0; i < bars.length; i++) {
    const visible = visibleCoarseBars(bars.slice(0, i + 1), intervalMs, coarseMs);
    const last = visible[visible.length - 1];
    if (last !== undefined && last.t !== newest) {
      newest = last.t;
      value = evaluate(visible);
      aligned.push(value);
    } else {
      // An event happens once; a state persists.
      aligned.push(kind === 'FILTER' ? value : false);
    }
  }
  return aligned;
}
