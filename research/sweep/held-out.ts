import { EngineError } from '../../engine/errors.js';
import { closeOfLast, firstBarFrom, parseIsoTime, sliceBars } from '../../engine/series/index.js';
import { HELD_OUT_DAYS_MAX, type HeldOut, type HeldOutDays, heldOutCut, lastDays } from '../../engine/sweep/index.js';
import { endingWith, type LoadedDataset } from './datasets.js';

interface CutDatasets {
  /** In the order given; a refused one has the reason in its place. */
  readonly datasets: readonly (LoadedDataset | EngineError)[];
  /** Days to hold out before the first run. */
  readonly declared: readonly HeldOut[];
  readonly warnings: readonly string[];
}

/** `holdout` of a plan in days; null without one, and for one that the reader of the plan refuses. */
function askedDays(sweep: unknown): number | null {
  const asked = (sweep as { holdout?: unknown } | null)?.holdout;
  return Number.isSafeInteger(asked) && Number(asked) >= 1 && Number(asked) <= HELD_OUT_DAYS_MAX ? Number(asked) : null;
}

/**
 * Ends the bars of a sweep before held-out days: known ones, and days that its `holdout` asks for,
 * counted back from the last bar of each asset in the windows of the sweep.
 */
export async function cutHeldOut(
  sweep: unknown,
  found: readonly (LoadedDataset | EngineError)[],
  heldOut: HeldOutDays | undefined,
  nowMs: number,
): Promise<CutDatasets> {
  const asked = askedDays(sweep);
  if (heldOut === undefined) return { datasets: found, declared: [], warnings: [] };
  const held = found.filter((one): one is LoadedDataset => !(one instanceof EngineError));
  for (const { dataset, bars } of held) await heldOut.meet?.(dataset.asset, bars);
  const declared = new Map<string, HeldOut>();
  const warnings = new Set<string>();
  const datasets: (LoadedDataset | EngineError)[] = [];
  for (const one of found) {
    if (one instanceof EngineError) {
      datasets.push(one);
      continue;
    }
    const { asset } = one.dataset;
    const ends = held.filter(({ dataset }) => dataset.asset === asset).map(({ bars }) => closeOfLast(bars));
    const wanted = asked === null ? null : lastDays(asset, asked, Math.max(...ends), nowMs);
    try {
      const [startMs, endMs] = [one.bars.time[one.first] ?? Number.NaN, closeOfLast(one.bars)];
      const cut = heldOutCut(await heldOut.of(asset), asked, { wanted, startMs, endMs });
      if (cut.declared !== null) declared.set(asset, cut.declared);
      for (const warning of cut.warnings) warnings.add(warning);
      datasets.push(cut.days === null ? one : endingBefore(one, parseIsoTime(cut.days.from)));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      datasets.push(error);
    }
  }
  return { datasets, declared: [...declared.values()], warnings: [...warnings] };
}

function endingBefore(one: LoadedDataset, beforeMs: number): LoadedDataset {
  const { bars } = one;
  // A bar that closes after it shows later prices. Times are whole milliseconds.
  return endingWith(one, sliceBars(bars, 0, firstBarFrom(bars, beforeMs - bars.intervalMs + 1)));
}
