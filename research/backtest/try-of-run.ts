import { normaliseAsset } from '../../data/bars/index.js';
import { sha256 } from '../../data/hashes/index.js';
import { closeOfLast, formatInterval, isoTime } from '../../engine/series/index.js';
import type { PlannedRule } from '../../engine/strategy/index.js';
import { singleIdentity } from '../../engine/sweep/index.js';
import type { PreparedRun } from './prepare-run.js';

/** A run in the ledger of tries: the asset, and the identity that the same run has in a sweep. */
export interface Try {
  readonly asset: string;
  readonly identity: string;
}

export function makeTry(run: PreparedRun): Try {
  const { asset: spelled, countedAs, bars, first, plan, config, seriesHash, columns, series } = run;
  const asset = normaliseAsset(spelled);
  const isoDay = (ms: number): string => isoTime(ms).slice(0, 10);
  const rules = (planned: readonly PlannedRule[] | null) =>
    (planned ?? []).map(({ signal, params, role, timeframeMs, negate, withinBars, asset: other, group }) => ({
      name: signal.name,
      params,
      signal_type: role,
      timeframe: formatInterval(timeframeMs),
      ...(negate && { negate }),
      ...(withinBars !== undefined && { within_bars: withinBars }),
      ...(other !== undefined && { asset: normaliseAsset(other) }),
      ...(group !== undefined && { group }),
    }));
  const dataset = {
    asset,
    timeframe: formatInterval(bars.intervalMs),
    hash: `sha256:${seriesHash}`,
    // biome-ignore lint/style/noNonNullAssertion: first is a bar of the run
    start_date: isoDay(bars.time[first]!),
    end_date: isoDay(closeOfLast(bars) - 1),
    added: Object.fromEntries(columns.map(({ column, content_hash }) => [column, content_hash])),
  };
  const { entry, exit, shortEntry, shortExit } = plan;
  const sides =
    shortEntry === undefined ? {} : { short_entry: rules(shortEntry), short_exit: rules(shortExit ?? null) };
  const further = series.length === 0 ? {} : { series: series.map(({ content_hash }) => content_hash) };
  return {
    asset: countedAs ?? asset,
    identity: singleIdentity(
      { dataset, entry: rules(entry), exit: rules(exit), further: { ...sides, ...further }, config },
      sha256,
    ),
  };
}
