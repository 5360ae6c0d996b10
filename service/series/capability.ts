import { type BarStore, generatedColumns, type StoredBars } from '../../data/bars/index.js';
import type { MarketData } from '../../data/providers/index.js';
import { columnBatches } from '../../data/tables/index.js';
import type { Holdouts } from '../../data/tries/index.js';
import { EngineError } from '../../engine/errors.js';
import {
  type BarSeries,
  findGaps,
  firstBarFrom,
  formatInterval,
  isoTime,
  parseInterval,
  parseIsoTime,
  priceColumns,
  sliceBars,
} from '../../engine/series/index.js';
import { withEngine } from '../backtests/index.js';
import type { Caller } from '../caller.js';
import type { Capability } from '../capability.js';

interface SeriesDeps {
  readonly bars: BarStore;
  readonly market: MarketData;
  /** The days that an organization holds out. */
  readonly heldOut: (orgId: string) => Pick<Holdouts, 'of' | 'meet'>;
}

interface SeriesRequest {
  readonly asset: string;
  readonly interval: string;
  readonly columns: readonly string[];
}

const GAPS_SHOWN_MAX = 100;
/** Most bars of one answer; more are refused before any is read. */
const BARS_MAX = 2_500_000;
const BATCH_BARS = 65_536;
/** Bytes of one message; far below what a call may carry, so that a reader gets its first bars early. */
const PIECE_BYTES = 256 * 1024;

export const openSeries = (deps: SeriesDeps): Capability<'Series'> => ({
  methods: {
    'Series.List': async () => ({ series: (await deps.bars.list()).map(seriesRecord) }),
    'Series.Get': (request, { caller }) => withEngine(() => describeSeries(caller, request, deps)),
    'Series.ReadBars': (request, { caller }) => readBars(caller, request, deps),
  },
});

const seriesRecord = (entry: StoredBars) => ({
  asset: entry.asset,
  interval: entry.interval,
  bars: entry.bars,
  first_time: entry.firstTime,
  last_time: entry.lastTime,
  gap_count: entry.gaps.count,
  missing_bars: entry.gaps.missingBars,
  zero_volume_bars: entry.zeroVolumeBars,
  content_hash: entry.contentHash,
  columns: entry.beside,
  generated_columns: generatedColumns(entry),
  source: entry.origin.source,
  imported_at: entry.origin.importedAt,
  is_sample: entry.isSample,
  exchange: entry.exchange ?? null,
  licence: entry.licence ?? null,
});

async function describeSeries(caller: Caller, request: SeriesRequest, deps: SeriesDeps) {
  const { entry, bars, heldOut, aggregatedFrom } = await loadSeries(caller, request, deps);
  const gaps = findGaps(bars).slice(0, GAPS_SHOWN_MAX);
  return {
    series: {
      ...seriesRecord(entry),
      ...{ interval: request.interval, bars: bars.barCount },
      first_time: isoTime(bars.time[0] ?? Number.NaN),
      last_time: isoTime(bars.time[bars.barCount - 1] ?? Number.NaN),
    },
    aggregated_from: aggregatedFrom,
    gaps: gaps.map(({ firstMissing, lastMissing, bars: count }) => ({
      first_missing: isoTime(firstMissing),
      last_missing: isoTime(lastMissing),
      bars: count,
    })),
    held_out: heldOut.map(({ from, to }) => ({ from, to })),
  };
}

async function* readBars(caller: Caller, request: SeriesRequest, deps: SeriesDeps) {
  const { bars, heldOut } = await withEngine(() => loadSeries(caller, request, deps));
  const heldFromMs = Math.min(...heldOut.map(({ from }) => parseIsoTime(from)), Number.POSITIVE_INFINITY);
  const end = firstBarFrom(bars, heldFromMs - bars.intervalMs + 1);
  for await (const bytes of columnBatches(arrowColumns(sliceBars(bars, 0, end)), BATCH_BARS)) {
    for (let from = 0; from < bytes.length; from += PIECE_BYTES)
      yield { arrow: bytes.subarray(from, from + PIECE_BYTES) };
  }
}

const arrowColumns = ({ time, columns, ...bars }: BarSeries) => ({
  times: { timestamp: time },
  doubles: { ...Object.fromEntries(priceColumns.map((name) => [name, bars[name]])), ...columns },
});

/** The series as strategies read it, and the days of its asset that no run may touch. */
async function loadSeries(caller: Caller, { asset, interval, columns }: SeriesRequest, deps: SeriesDeps) {
  const intervalMs = parseInterval(interval);
  const { entry, aggregateToMs } = await deps.market.resolveSource(asset, intervalMs);
  if (entry.bars > BARS_MAX) {
    const message = `a series is read whole up to ${BARS_MAX} bars, ${entry.asset} ${entry.interval} has ${entry.bars}: read a coarser interval`;
    throw new EngineError('INVALID_FIELD', message, { field: 'interval' });
  }
  const unknown = columns.find((name) => !entry.beside.includes(name));
  if (unknown !== undefined) {
    const held = entry.beside.length === 0 ? 'none' : entry.beside.join(', ');
    throw new EngineError('INVALID_FIELD', `columns: ${entry.asset} has no column ${unknown}, it has ${held}`, {
      field: 'columns',
    });
  }
  const query = { asset, intervalMs: entry.intervalMs, columns };
  const { bars } =
    aggregateToMs === null ? await deps.market.load(query) : await deps.market.coarse(query, aggregateToMs);
  const holdouts = deps.heldOut(caller.orgId);
  await holdouts.meet?.(entry.asset, bars); // a copy under another name has the held-out days of its market
  const known = await holdouts.of(entry.asset);
  return {
    ...{ entry, bars },
    heldOut: known.filter(({ opening }) => opening === null),
    aggregatedFrom: aggregateToMs === null ? null : formatInterval(entry.intervalMs),
  };
}
