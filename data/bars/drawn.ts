import { EngineError } from '../../engine/errors.js';
import {
  type AllocateColumns,
  allocateBars,
  type BarSeries,
  bucketStart,
  firstBarFrom,
  formatInterval,
  isoTime,
  MINUTE_MS,
  plainColumns,
  priceColumns,
  sliceBars,
} from '../../engine/series/index.js';
import { bridgeBars } from '../../engine/synthetic/index.js';
import { aggregateBars } from '../../engine/timeframes/index.js';
import { sha256 } from '../hashes/index.js';
import { type BarReads, type BarsQuery, entriesFor, FETCH_HINT, type StoredBars, sourceAmong } from './stored.js';

/** Bars that are drawn at a time, in the smallest of their intervals. */
const BLOCK_BARS = 500_000;

/** Held bars, and the opens of the bars that are made of them. */
interface Layer {
  readonly entry: StoredBars;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The bars that a run of these settings reads. */
export const barsFor = <Bars>(
  store: Bars & { readonly drawn?: NoInfer<Bars> | undefined },
  { allow_generated_bars: allows }: { readonly allow_generated_bars?: unknown },
): Bars => (allows === true ? (store.drawn ?? store) : store);

/** The seed of everything that is drawn within the held bars of an asset and an interval. */
export const bridgeSeed = (asset: string, intervalMs: number): bigint =>
  BigInt(`0x${sha256(`bridge\n${asset}\n${intervalMs}`).slice(0, 15)}`);

/** A note on the drawn bars of a series; null where it has none, or none at these opens. */
export function drawnNote(
  { asset, interval, drawn }: Pick<StoredBars, 'asset' | 'interval' | 'drawn'>,
  opens?: Float64Array,
): string | null {
  if (drawn === undefined) return null;
  const { heldFromMs, heldToMs, within } = drawn;
  const count = opens?.filter((ms) => !(ms >= heldFromMs && ms < heldToMs)).length;
  if (count === 0) return null;
  const which = opens === undefined ? 'where none are held' : `(${count} of ${opens.length} with the history)`;
  return `${interval} bars of ${asset} ${which} are generated within held ${within.join(' and ')} bars: what comes of them says nothing about the market`;
}

/**
 * The same bars. Where an interval has no held bars but a coarser one has, `bridgeBars` draws minutes
 * within them. All longer bars are made from these minutes, so that two intervals tell one story.
 *
 * @param join fills the room for the added columns of these names
 */
export function openDrawn(
  { list, resolveSource, load }: BarReads,
  join: (entry: StoredBars, names: readonly string[], bars: BarSeries) => Promise<void>,
  allocate?: AllocateColumns,
): BarReads {
  const findSeries = async (asset: string, intervalMs: number) =>
    seriesAmong(entriesFor(await list(), asset), intervalMs);

  async function loadLayer({ entry, fromMs, toMs }: Layer, intervalMs: number): Promise<BarSeries[]> {
    const { asset, intervalMs: heldMs } = entry;
    const query = { asset, intervalMs: heldMs, fromMs: bucketStart(fromMs, heldMs), toMs };
    const held = await load(query).catch((error: unknown) => {
      if (error instanceof EngineError && error.code === 'EMPTY_WINDOW') return null;
      throw error;
    });
    if (held === null) return [];
    if (heldMs === intervalMs) return [held.bars];
    if (heldMs < intervalMs) return [aggregateBars(held.bars, intervalMs).bars];
    const stepMs = intervalMs % MINUTE_MS === 0 ? MINUTE_MS : intervalMs;
    const perBlock = Math.max(1, Math.floor((BLOCK_BARS * stepMs) / heldMs));
    const parts: BarSeries[] = [];
    for (let from = 0; from < held.bars.barCount; from += perBlock) {
      const coarse = sliceBars(held.bars, from, Math.min(from + perBlock, held.bars.barCount));
      const drawn = bridgeBars(coarse, stepMs, bridgeSeed(asset, heldMs), plainColumns);
      const bars = stepMs === intervalMs ? drawn : aggregateBars(drawn, intervalMs).bars;
      parts.push(sliceBars(bars, firstBarFrom(bars, fromMs), firstBarFrom(bars, toMs)));
    }
    return parts;
  }

  return {
    list,
    async resolveSource(asset, intervalMs, fromMs) {
      const series = await findSeries(asset, intervalMs);
      return series === null ? resolveSource(asset, intervalMs, fromMs) : { entry: series.entry, aggregateToMs: null };
    },
    async load(query) {
      const { asset, intervalMs, fromMs = -Infinity, toMs = Infinity, columns: names = [] } = query;
      const series = await findSeries(asset, intervalMs);
      if (series === null) return load(query);
      const { entry, layers } = series;
      const parts: BarSeries[] = [];
      for (const layer of layers) {
        const wanted = {
          entry: layer.entry,
          fromMs: Math.max(layer.fromMs, Math.ceil(fromMs / intervalMs) * intervalMs),
          toMs: Math.min(layer.toMs, Math.ceil(toMs / intervalMs) * intervalMs),
        };
        if (wanted.fromMs < wanted.toMs) parts.push(...(await loadLayer(wanted, intervalMs)));
      }
      const room = entry.added.map(({ column }) => column).filter((column) => names.includes(column));
      const bars = joined(parts, intervalMs, room, allocate);
      if (bars.barCount === 0) throw emptyWindow(entry, query);
      await join(entry, names, bars);
      return { bars, gaps: [], entry };
    },
  };
}

/** The series of an interval with its drawn bars; null where nothing can be drawn. */
function seriesAmong(entries: readonly StoredBars[], intervalMs: number) {
  const isServing = (entry: StoredBars) => intervalMs % entry.intervalMs === 0 || entry.intervalMs % intervalMs === 0;
  const serving = entries.filter(isServing);
  const own = serving.filter(({ isSample }) => !isSample);
  const among = own.length > 0 ? own : serving;
  const held = sourceAmong(among, intervalMs);
  const coarser = among.filter((entry) => entry.intervalMs > intervalMs);
  const layers: Layer[] = [];
  let [fromMs, toMs] = [Infinity, -Infinity];
  for (const entry of held === undefined ? coarser : [held, ...coarser]) {
    const [first, end] = wholeOpens(entry, intervalMs);
    if (layers.length === 0) layers.push({ entry, fromMs: first, toMs: end });
    else {
      if (first < fromMs) layers.unshift({ entry, fromMs: first, toMs: fromMs });
      if (end > toMs) layers.push({ entry, fromMs: toMs, toMs: end });
    }
    fromMs = Math.min(fromMs, first);
    toMs = Math.max(toMs, end);
  }
  const drawn = layers.filter(({ entry }) => entry.intervalMs > intervalMs);
  const [base] = drawn;
  if (base === undefined) return null;
  const [heldFromMs, heldToMs] = held === undefined ? [Infinity, -Infinity] : wholeOpens(held, intervalMs);
  const lastMs = toMs - intervalMs;
  const entry: StoredBars = {
    ...base.entry,
    ...{ intervalMs, interval: formatInterval(intervalMs), firstMs: fromMs, lastMs },
    ...{ firstTime: isoTime(fromMs), lastTime: isoTime(lastMs), bars: (toMs - fromMs) / intervalMs },
    contentHash: sha256(
      ['drawn', intervalMs, ...layers.flatMap((one) => [one.entry.contentHash, one.fromMs, one.toMs])].join('\n'),
    ),
    columns: ['timestamp', ...priceColumns],
    beside: base.entry.added.map(({ column }) => column),
    isSample: layers.every((one) => one.entry.isSample),
    drawn: { heldFromMs, heldToMs, within: [...new Set(drawn.map((one) => one.entry.interval))] },
  };
  return { entry, layers };
}

/** The opens of the bars of an interval that held ones make whole: from, and before. */
const wholeOpens = ({ firstMs, lastMs, intervalMs: heldMs }: StoredBars, intervalMs: number): [number, number] => [
  Math.ceil(firstMs / intervalMs) * intervalMs,
  bucketStart(lastMs + heldMs, intervalMs),
];

function joined(
  parts: readonly BarSeries[],
  intervalMs: number,
  room: readonly string[],
  allocate?: AllocateColumns,
): BarSeries {
  const count = parts.reduce((sum, { barCount }) => sum + barCount, 0);
  const bars = allocateBars(count, intervalMs, room, allocate);
  let at = 0;
  for (const part of parts) {
    bars.time.set(part.time, at);
    for (const name of priceColumns) bars[name].set(part[name], at);
    at += part.barCount;
  }
  return bars;
}

function emptyWindow({ asset, interval, firstTime, lastTime }: StoredBars, { fromMs, toMs }: BarsQuery): EngineError {
  const text = (ms: number | undefined, open: string) => (Number.isFinite(ms) ? isoTime(ms as number) : open);
  const message = `no ${interval} bar of ${asset} opens from ${text(fromMs, 'the first')} to ${text(toMs, 'the last')} (held or drawn: ${firstTime} to ${lastTime})${FETCH_HINT}`;
  return new EngineError('EMPTY_WINDOW', message, { asset, interval });
}
