import {
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  type IChartApi,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  LineSeries,
  LineStyle,
  type LogicalRange,
  type SeriesMarker,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { bucketBars, type PriceColumns } from './buckets.js';
import { faded, onTheme, onWidth, readColours } from './colours.js';

/** A trade as the chart marks it. Bars are indices of the price columns. */
export interface TradeMark {
  readonly entryBar: number;
  readonly exitBar: number;
  readonly entryPrice: number;
  readonly exitPrice: number;
  /** NaN where there was none. */
  readonly stopPrice: number;
  readonly targetPrice: number;
  readonly isShort: boolean;
  readonly isWin: boolean;
}

interface PriceChart {
  /** @param trades by bar of entry */
  show(prices: PriceColumns, trades: readonly TradeMark[]): void;
  /** Shows these bars, with some before and after. */
  zoomTo(fromBar: number, toBar: number): void;
  /** Draws the levels of one trade, or of none. */
  pick(trade: TradeMark | null): void;
  dispose(): void;
}

interface PriceChartOptions {
  readonly height: number;
  readonly onPick: (trade: number) => void;
  /** The bars in view after each move. */
  readonly onRange?: (fromBar: number, toBar: number) => void;
}

/** Candles that the library is given in view; beyond it as many on either side. */
const IN_VIEW_MAX = 600;
/** Bars around a trade that is zoomed to, in lengths of the trade. */
const AROUND = 1.5;
const BARS_AROUND_MIN = 20;

/**
 * Candles of up to millions of bars. The library holds only those near the view: bars are joined to
 * candles of 1, 2, 4, … so that some hundreds are in view, down to the single bar. Marks of trades
 * are joined in the same way and carry their number, so none is missing at any zoom.
 */
export function createPriceChart(host: HTMLElement, { height, onPick, onRange }: PriceChartOptions): PriceChart {
  const chart = createChart(host, {
    height,
    layout: { attributionLogo: false, fontFamily: 'system-ui, sans-serif' },
    timeScale: { timeVisible: true, secondsVisible: false, minBarSpacing: 0.1 },
    localization: { timeFormatter: (time: Time) => utcText(Number(time) * 1000) },
    handleScale: { axisPressedMouseMove: true },
  });
  const candles = chart.addSeries(CandlestickSeries, { priceLineVisible: false, lastValueVisible: false });
  const marks = createSeriesMarkers(candles, []);
  const levels = new Levels(chart);
  const state = new Loaded(chart, candles, marks, levels);
  const colour = (): void => {
    const { ink, line, up, down, quiet } = readColours(host);
    chart.applyOptions({
      layout: { background: { color: 'transparent' }, textColor: quiet },
      grid: { vertLines: { color: faded(line, 0.5) }, horzLines: { color: faded(line, 0.5) } },
      timeScale: { borderColor: line },
      rightPriceScale: { borderColor: line },
      crosshair: { vertLine: { color: ink }, horzLine: { color: ink } },
    });
    candles.applyOptions({ upColor: up, downColor: down, wickUpColor: up, wickDownColor: down, borderVisible: false });
    state.colours = { up, down };
    state.draw();
    levels.recolour({ up, down, ink });
  };
  const endTheme = onTheme(colour);
  const endWidth = onWidth(host, (width) => {
    chart.resize(width, height);
    state.viewAgain();
  });
  chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
    state.follow(range);
    if (range !== null) onRange?.(state.barAt(range.from), state.barAt(range.to));
  });
  chart.subscribeClick(({ logical }) => {
    if (logical !== undefined) {
      const found = state.tradeNear(state.barAt(logical));
      if (found !== null) onPick(found);
    }
  });
  colour();
  return {
    show(prices, trades) {
      const isOther = prices.time !== state.prices?.time;
      state.prices = prices;
      state.trades = trades;
      if (isOther) state.view(0, prices.time.length);
      else state.draw();
    },
    zoomTo(fromBar, toBar) {
      const around = Math.max(BARS_AROUND_MIN, AROUND * (toBar - fromBar));
      state.view(fromBar - around, toBar + around);
    },
    pick(trade) {
      state.picked = trade;
      state.drawLevels();
    },
    dispose() {
      endTheme();
      endWidth();
      chart.remove();
    },
  };
}

const seconds = (ms: number): UTCTimestamp => (ms / 1000) as UTCTimestamp;
const utcText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** The candles that the library holds, and the bars behind them. */
class Loaded {
  prices: PriceColumns | null = null;
  trades: readonly TradeMark[] = [];
  picked: TradeMark | null = null;
  colours = { up: '', down: '' };
  /** Bars in a candle, and the bars that are loaded. */
  #size = 1;
  #from = 0;
  #to = 0;
  /** How many changes of the view the library has not told of yet. */
  #settling = 0;
  /** The bars that were last asked for, which another width shows again. */
  #viewed: readonly [number, number] = [0, 0];

  constructor(
    private readonly chart: IChartApi,
    private readonly candles: ISeriesApi<'Candlestick'>,
    private readonly marks: ISeriesMarkersPluginApi<Time>,
    private readonly levels: Levels,
  ) {}

  barAt = (logical: number): number => Math.round(this.#from + logical * this.#size);

  /** Loads what the view needs after the user has moved or zoomed. */
  follow(range: LogicalRange | null): void {
    if (range === null || this.#settling > 0 || this.prices === null) return;
    const [from, to] = [this.#from + range.from * this.#size, this.#from + range.to * this.#size];
    const isTooFine = (to - from) / this.#size > 2 * IN_VIEW_MAX;
    const isTooCoarse = this.#size > 1 && (to - from) / this.#size < IN_VIEW_MAX / 2;
    const isAtEdge = (from < this.#from && this.#from > 0) || (to > this.#to && this.#to < this.prices.time.length);
    this.#viewed = [from, to];
    if (isTooFine || isTooCoarse || isAtEdge) this.view(from, to);
  }

  viewAgain = (): void => this.view(...this.#viewed);

  view(from: number, to: number): void {
    this.#viewed = [from, to];
    if (this.prices === null) return;
    const count = this.prices.time.length;
    const span = Math.max(1, to - from);
    this.#size = 2 ** Math.max(0, Math.ceil(Math.log2(span / IN_VIEW_MAX)));
    this.#from = Math.max(0, Math.floor((from - span) / this.#size) * this.#size);
    this.#to = Math.min(count, Math.ceil(to + span));
    this.draw();
    const range = { from: (from - this.#from) / this.#size, to: (to - this.#from) / this.#size };
    this.chart.timeScale().setVisibleLogicalRange(range as LogicalRange);
    // The library tells of ranges a frame later, and of those before this one too.
    this.#settling++;
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        this.#settling--;
      }),
    );
  }

  draw(): void {
    const { prices } = this;
    if (prices === null) return;
    const buckets = bucketBars(prices, this.#from, this.#to, this.#size);
    this.candles.setData(buckets.map(({ timeMs, from: _, ...ohlc }) => ({ time: seconds(timeMs), ...ohlc })));
    this.marks.setMarkers(this.#marksIn(prices));
    this.drawLevels();
  }

  /** On the times of candles: another time would become a place of its own on the axis. */
  drawLevels(): void {
    const { prices } = this;
    this.levels.show(this.picked, (bar) => {
      const time = prices?.time[Math.floor(bar / this.#size) * this.#size];
      return time === undefined || bar < this.#from || bar >= this.#to ? null : seconds(time);
    });
  }

  /** The trade that lies at a bar, or else the nearest that is near in the view. */
  tradeNear(bar: number): number | null {
    let [best, bestAway] = [-1, 8 * this.#size];
    for (const [i, { entryBar, exitBar }] of this.trades.entries()) {
      const away = Math.max(0, entryBar - bar, bar - exitBar);
      if (away < bestAway) [best, bestAway] = [i, away];
    }
    return best === -1 ? null : best;
  }

  #marksIn({ time }: PriceColumns): SeriesMarker<Time>[] {
    interface Cluster {
      entries: number;
      exits: number;
      isShort: boolean;
      isWin: boolean;
    }
    const clusters = new Map<number, Cluster>();
    const at = (bar: number): Cluster | null => {
      if (bar < this.#from || bar >= this.#to) return null;
      const start = Math.floor(bar / this.#size) * this.#size;
      const cluster = clusters.get(start) ?? { entries: 0, exits: 0, isShort: false, isWin: false };
      clusters.set(start, cluster);
      return cluster;
    };
    for (const { entryBar, exitBar, isShort, isWin } of this.trades) {
      const entry = at(entryBar);
      if (entry !== null) Object.assign(entry, { entries: entry.entries + 1, isShort });
      const exit = at(exitBar);
      if (exit !== null) Object.assign(exit, { exits: exit.exits + 1, isWin });
    }
    const { up, down } = this.colours;
    return [...clusters]
      .sort(([a], [b]) => a - b)
      .flatMap(([bar, { entries, exits, isShort, isWin }]) => {
        const base = { time: seconds(time[bar] ?? Number.NaN) };
        const found: SeriesMarker<Time>[] = [];
        if (entries > 0) {
          const shape = isShort ? ('arrowDown' as const) : ('arrowUp' as const);
          const position = isShort ? ('aboveBar' as const) : ('belowBar' as const);
          found.push({
            ...base,
            position,
            shape,
            color: isShort ? down : up,
            ...(entries > 1 && { text: `${entries}` }),
          });
        }
        if (exits > 0) {
          const position = isShort ? ('belowBar' as const) : ('aboveBar' as const);
          found.push({
            ...base,
            position,
            shape: 'circle',
            color: isWin ? up : down,
            ...(exits > 1 && { text: `${exits}` }),
          });
        }
        return found;
      });
  }
}

/** The levels of the picked trade: its way from entry to exit, its stop and its target. */
class Levels {
  readonly #lines: readonly ISeriesApi<'Line'>[];

  constructor(chart: IChartApi) {
    const quiet = {
      lastValueVisible: false,
      priceLineVisible: false,
      crosshairMarkerVisible: false,
      lineWidth: 2,
    } as const;
    const dashed = { ...quiet, lineWidth: 1, lineStyle: LineStyle.Dashed } as const;
    this.#lines = [quiet, dashed, dashed].map((options) => chart.addSeries(LineSeries, options));
  }

  recolour({ ink, down, up }: Readonly<Record<'ink' | 'down' | 'up', string>>): void {
    for (const [i, color] of [ink, down, up].entries()) this.#lines[i]?.applyOptions({ color });
  }

  /** @param timeAt the time of the drawn candle that holds a bar; null for a bar that is not drawn */
  show(trade: TradeMark | null, timeAt: (bar: number) => UTCTimestamp | null): void {
    const from = trade && timeAt(trade.entryBar);
    const to = trade && timeAt(trade.exitBar);
    const ways = trade === null ? [] : [[trade.entryPrice, trade.exitPrice], [trade.stopPrice], [trade.targetPrice]];
    for (const [i, line] of this.#lines.entries()) {
      const [start = Number.NaN, end = start] = ways[i] ?? [];
      const isDrawn = from !== null && to !== null && from < to && Number.isFinite(start) && Number.isFinite(end);
      line.setData(
        isDrawn
          ? [
              { time: from, value: start },
              { time: to, value: end },
            ]
          : [],
      );
    }
  }
}
