import { type ExecutionConfig, simulate, type Trade } from '../execution/index.js';
import type { BarSeries } from '../series/index.js';
import { evaluateRules, type OtherBars, type StrategyPlan } from '../strategy/index.js';

/** So many moved stops are tried again. */
const STOPS_MAX = 20;

/** How far the best price of the bar is moved, as a fraction of it. */
const AWAY = 0.5;

interface StopsInput {
  readonly plan: StrategyPlan;
  readonly bars: BarSeries;
  readonly first: number;
  readonly config: ExecutionConfig;
  readonly others?: OtherBars;
  /** The simulation under audit. Default: the engine's `simulate`. */
  readonly run?: typeof simulate;
}

/**
 * Finds a trade whose moved stop reads the bar that hits it; null if there is none. A stop moves at
 * a close and acts from the next bar on, so the best price of its exit bar cannot matter: a run in
 * which this price is better must sell at the same price. Cutting the data off cannot show this,
 * because the bar is known as a whole by its close. Cost: one run a stop.
 */
export function stopWithForesight(input: StopsInput): Trade | null {
  // With finer bars a better price would contradict them.
  const { detail_interval: _, ...config } = input.config;
  const { trailing_distance, break_even_at } = config;
  if ((trailing_distance ?? null) === null && (break_even_at ?? null) === null) return null;
  const { plan, bars, first, others, run = simulate } = input;
  const { entry, exit, short } = evaluateRules(plan, bars, others);
  const sides = short === undefined ? {} : { shortEntry: short.entry, shortExit: short.exit };
  const tradesOver = (series: BarSeries) => run({ bars: series, first, entry, exit, ...sides, config }).trades;
  const moved = tradesOver(bars).filter(({ exitReason }) => exitReason === 'TRAIL');
  const isDrawn = (_trade: Trade, k: number) => k % Math.ceil(moved.length / STOPS_MAX) === 0;
  for (const trade of moved.filter(isDrawn)) {
    const again = tradesOver(withBetterPrice(bars, trade)).find((other) => isSameEntry(other, trade));
    if (again?.exitBar === trade.exitBar && again.exitPrice === trade.exitPrice) continue;
    return trade;
  }
  return null;
}

const side = ({ details }: Trade) => details?.side ?? 'long';

const isSameEntry = (a: Trade, b: Trade): boolean => a.entryBar === b.entryBar && side(a) === side(b);

/** The bars, except that the exit bar of a trade went further in its favour. */
function withBetterPrice(bars: BarSeries, trade: Trade): BarSeries {
  const { high, low } = bars;
  const bar = trade.exitBar;
  return side(trade) === 'long'
    ? { ...bars, high: withValue(high, bar, high[bar] * (1 + AWAY)) }
    : { ...bars, low: withValue(low, bar, low[bar] * (1 - AWAY)) };
}

function withValue(column: Float64Array, bar: number, value: number): Float64Array {
  const copy = column.slice();
  copy[bar] = value;
  return copy;
}
