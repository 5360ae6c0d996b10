import { join } from 'node:path';
import { openBars } from '../../data/bars/index.js';
import { openStoredMarketData } from '../../data/providers/index.js';
import { generated, recorded, type Sourced } from '../../data/upstreams/index.js';
import {
  type HistoryWindow,
  heldInstrument,
  type InstrumentRows,
  openDrawnTrades,
  openHeldTrades,
  type Pair,
  type TradesPort,
} from '../../data/upstreams/trades/index.js';
import { bucketStart, isoTime, sharedColumns } from '../../engine/series/index.js';
import { notFound } from '../api-error.js';
import type { Capability, Foundation } from '../capability.js';
import { provenanceFields, shownSpan, shownSpanOrNull } from '../provenance.js';
import { type BarGap, type BarSource, barAtStart, barsIn, lastBar, type PeriodBar, PeriodBars } from './period-bars.js';
import {
  type Period,
  periodMs,
  readLimit,
  readPair,
  readPeriod,
  readTime,
  readWindow,
  type Shows,
  showBars,
  showQuotes,
  showTrades,
} from './records.js';

/** The bundled minute bars take less than a megabyte. */
const MINUTE_BARS_BYTES_MAX = 16 * 1024 * 1024;

/** Trades, quotes and bars: of an exchange where the settings name one, otherwise as recorded. */
export function openMarketReads({ config, live, market, sampleDir }: Foundation): Capability<'MarketData'> {
  const folder = join(sampleDir, 'recordings');
  const recorded = openHeldTrades(folder);
  const minuteStore = openBars({ home: config.BARLINE_HOME, sampleDir: folder, allocate: sharedColumns });
  const minutes = openStoredMarketData(minuteStore, { cacheBytesMax: MINUTE_BARS_BYTES_MAX });
  const bars = new PeriodBars({ markets: [market, minutes], minuteBars: (name) => recorded.minuteBars(name) });
  const trades = live.trades ?? openDrawnTrades(recorded, market);
  const reads = new MarketReads({ trades, bars, recorded: recorded.instruments });
  return {
    methods: {
      'MarketData.GetHealth': () => reads.health(),
      'MarketData.GetLatestTrade': (request) => reads.latestTrade(request),
      'MarketData.ListTrades': (request) => reads.tradeHistory(request),
      'MarketData.GetLatestQuote': (request) => reads.latestQuote(request),
      'MarketData.ListQuotes': (request) => reads.quoteHistory(request),
      'MarketData.GetLatestBar': (request) => reads.latestBar(request),
      'MarketData.ListMinuteBars': (request) => reads.minuteBars(request),
      'MarketData.GetPeriodBar': (request) => reads.periodBar(request),
    },
  };
}

const HISTORY_LIMIT = 100;
const BARS_LIMIT = 1_000;

interface PairRequest {
  readonly base: string;
  readonly quote: string;
}

interface HistoryRequest extends PairRequest {
  readonly start_time?: string;
  readonly end_time?: string;
  readonly limit?: number;
  readonly asc?: boolean;
}

interface MarketReadsParts {
  readonly trades: TradesPort;
  readonly bars: PeriodBars;
  /** The markets whose trades and quotes were recorded. */
  readonly recorded: readonly string[];
}

/** Trades, quotes and bars of a pair. Numbers become decimal texts here. */
export class MarketReads {
  readonly #parts: MarketReadsParts;

  constructor(parts: MarketReadsParts) {
    this.#parts = parts;
  }

  async health() {
    const { trades, recorded: pairs } = this.#parts;
    const state = trades.state();
    return {
      status: state === null || state.breaker === 'closed' ? 'healthy' : 'degraded',
      provider: state?.name ?? 'recorded',
      problem: state?.fault ?? null,
      recorded: pairs,
      ...provenanceFields(recorded(null, null)),
    };
  }

  async latestTrade(request: PairRequest) {
    const pair = readPair(request);
    return latestAnswer('trades', pair, await this.#parts.trades.latestTrade(pair), showTrades);
  }

  async tradeHistory(request: HistoryRequest) {
    const { pair, window } = readHistory(request);
    const { rows, ...rest } = historyAnswer(
      'trades',
      pair,
      window,
      await this.#parts.trades.trades(pair, window),
      showTrades,
    );
    return { ...rest, trades: rows };
  }

  async latestQuote(request: PairRequest) {
    const pair = readPair(request);
    return latestAnswer('quotes', pair, await this.#parts.trades.latestQuote(pair), showQuotes);
  }

  async quoteHistory(request: HistoryRequest) {
    const { pair, window } = readHistory(request);
    const { rows, ...rest } = historyAnswer(
      'quotes',
      pair,
      window,
      await this.#parts.trades.quotes(pair, window),
      showQuotes,
    );
    return { ...rest, quotes: rows };
  }

  /** The newest bar of a period that is complete. */
  async latestBar(request: PairRequest & { readonly period?: string }) {
    const period = readPeriod(request.period);
    const { instrument, sources } = await this.#barsOf(request, period);
    for (const source of sources) {
      const last = await lastBar(source, periodMs(period));
      if (last !== null) return shownPeriod(period, instrument, source, last);
    }
    throw noBars(period, instrument);
  }

  /** Bars of one minute, oldest first. */
  async minuteBars(request: Omit<HistoryRequest, 'asc'>) {
    const { fromMs, toMs } = readWindow(request);
    const limit = readLimit(request.limit, BARS_LIMIT);
    const { instrument, sources } = await this.#barsOf(request, 'ONE_MINUTE');
    const source = sources.find(({ firstMs, closeMs }) => fromMs < closeMs && firstMs < toMs) ?? sources[0];
    const { bars, gaps } = await barsIn(source, fromMs, toMs, limit);
    return {
      count: bars.length,
      limit,
      bars: bars.map(showBars(instrument)),
      gaps: gaps.map(shownGap),
      held: shownSpan({ firstMs: source.firstMs, lastMs: source.closeMs }),
      ...provenanceFields(made(source)(null, bars.at(-1)?.endMs ?? source.closeMs)),
    };
  }

  /** The bar of a period that ends at a time, or last ended before it. */
  async periodBar(request: PairRequest & { readonly period?: string; readonly end_time?: string }) {
    const period = readPeriod(request.period);
    const endMs = bucketStart(readTime('end_time', request.end_time), periodMs(period));
    const startMs = endMs - periodMs(period);
    const { instrument, sources } = await this.#barsOf(request, period);
    const source = sources.find(({ firstMs, closeMs }) => startMs >= firstMs && endMs <= closeMs) ?? sources[0];
    const found = await barAtStart(source, startMs, periodMs(period));
    if (found === null) {
      const { start, end } = shownSpan({ firstMs: source.firstMs, lastMs: source.closeMs });
      throw notFound(
        `${period} bar of ${instrument} ending`,
        isoTime(endMs),
        `; bars are held from ${start} to ${end}`,
      );
    }
    return shownPeriod(period, instrument, source, found);
  }

  async #barsOf(request: PairRequest, period: Period) {
    const pair = readPair(request);
    const instrument = heldInstrument(pair);
    if (instrument === null) throw noBars(period, pairName(pair));
    const [first, ...others] = await this.#parts.bars.find(pair.base, instrument, periodMs(period));
    if (first === undefined) throw noBars(period, instrument);
    const sources: readonly [BarSource, ...BarSource[]] = [first, ...others];
    return { instrument, sources };
  }
}

/** Bars on this machine: recorded, or drawn within recorded ones. */
const made = ({ isGenerated }: BarSource) => (isGenerated ? generated : recorded);
const pairName = ({ base, quote }: Pair): string => `${base}/${quote}`;
const noBars = (period: Period, instrument: string) => notFound(`${period} bars of`, instrument);
const shownGap = ({ startMs, endMs, bars }: BarGap) => ({ start: isoTime(startMs), end: isoTime(endMs), bars });

const shownPeriod = (
  period: Period,
  instrument: string,
  source: BarSource,
  { bar, gaps }: { bar: PeriodBar; gaps: readonly BarGap[] },
) => ({
  period,
  ...showBars(instrument)(bar),
  gaps: gaps.map(shownGap),
  ...provenanceFields(made(source)(null, bar.endMs)),
});

function readHistory(request: HistoryRequest): { readonly pair: Pair; readonly window: HistoryWindow } {
  const window = {
    ...readWindow(request),
    limit: readLimit(request.limit, HISTORY_LIMIT),
    isAscending: request.asc ?? false,
  };
  return { pair: readPair(request), window };
}

/** The newest row at the root of an answer. */
function latestAnswer<Row, Shown>(
  what: string,
  pair: Pair,
  answer: Sourced<InstrumentRows<Row> | null>,
  show: Shows<Row, Shown>,
) {
  const [row] = answer.value?.rows ?? [];
  if (answer.value === null || row === undefined) throw notFound(`${what} of`, pairName(pair));
  return { ...show(answer.value.instrument)(row), ...provenanceFields(answer) };
}

function historyAnswer<Row, Shown>(
  what: string,
  pair: Pair,
  { limit, isAscending }: HistoryWindow,
  answer: Sourced<InstrumentRows<Row> | null>,
  show: Shows<Row, Shown>,
) {
  if (answer.value === null) throw notFound(`${what} of`, pairName(pair));
  const { instrument, rows, held } = answer.value;
  return {
    count: rows.length,
    limit,
    asc: isAscending,
    rows: rows.map(show(instrument)),
    held: shownSpanOrNull(held),
    ...provenanceFields(answer),
  };
}
