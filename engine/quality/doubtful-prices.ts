import type { ExecutionConfig, Trade } from '../execution/index.js';
import type { BarSeries } from '../series/index.js';
import { type ImpliedSpread, impliedSpread } from '../statistics/index.js';
import { counted, type DoubtKind, percentText, type QualityFinding } from './finding.js';

/**
 * Standard errors by which returns must turn back. No part of 24 recorded series does so by more
 * than 4.4; docs/data-quality.md has the findings.
 */
const TURNS_MIN = 5;
/** Deviations of a return that a step of the prices must be to matter. */
const STEP_MIN = 0.5;
/**
 * Share of all bars that repeat the price before them: of bars with a neighbour that does so too,
 * and of all. Prices in fine steps repeat now and then by themselves.
 */
const STALE_IN_ROWS_MIN = 0.01;
const STALE_SHARE_MIN = 0.1;

/** Prices at which the market may not have traded with you, and what a leg would rather cost. */
interface PriceDoubt {
  readonly kind: DoubtKind;
  /** Bars, or fills in them, that it concerns, and the first of these. */
  readonly count: number;
  readonly bar: number;
  /** Distance of a fill from a price that could be had, a fraction. It exceeds the slippage. */
  readonly slippage: number;
  /** The problem of the prices, without its consequence. */
  readonly fact: string;
}

/**
 * Doubts about the prices at which a run was filled, each because it costs more than the slippage
 * of the run: a rule that buys what fell and sells what rose would earn the difference, and nothing
 * else. Cost: a few passes over the bars.
 */
export function priceDoubts(bars: BarSeries, trades: readonly Trade[], config: ExecutionConfig): PriceDoubt[] {
  const spread = trades.length === 0 ? null : impliedSpread(bars.close);
  if (spread === null) return [];
  return [...bounces(bars, spread), ...rounded(bars, spread), ...stale(bars, trades)].filter(
    ({ slippage }) => slippage > config.slippage_pct,
  );
}

/** The slippage at which no doubt remains; null where there is none. */
export const honestSlippage = (doubts: readonly PriceDoubt[]): number | null =>
  doubts.length === 0 ? null : Math.max(...doubts.map(({ slippage }) => slippage));

/** The doubts as findings, with what the fills would come to at the slippage that each asks for. */
export function doubtFindings(bars: BarSeries, trades: readonly Trade[], config: ExecutionConfig): QualityFinding[] {
  return priceDoubts(bars, trades, config).map(({ kind, count, bar, slippage, fact }) => {
    const legs = trades.reduce((sum, { size, entryPrice, exitPrice }) => sum + size * (entryPrice + exitPrice), 0);
    const profit = trades.reduce((sum, { profitLoss }) => sum + profitLoss, 0);
    const [now, then] = [profit, profit - legs * (slippage - config.slippage_pct)].map((one) =>
      percentText(Math.max(-1, one / config.initial_balance)),
    );
    const owed = `more than the slippage of ${percentText(config.slippage_pct, 3)}`;
    const message = `${fact}, ${owed}: with as much slippage the return would be ${then} instead of ${now} (sizes unchanged)`;
    return { kind, count, bar, message };
  });
}

function bounces({ barCount }: BarSeries, { half, t }: ImpliedSpread): PriceDoubt[] {
  if (t > -TURNS_MIN) return [];
  const fact = `prices jump between bid and ask (Roll 1984): half of the spread is ${percentText(half, 3)}`;
  return [{ kind: 'bounce', count: barCount, bar: 0, slippage: half, fact }];
}

/** Prices in steps that are large for the moves of a bar. Half a step is the least possible half spread. */
function rounded({ close, barCount }: BarSeries, { deviation }: ImpliedSpread): PriceDoubt[] {
  let inverse = 0;
  for (let bar = 0; bar < barCount; bar++) inverse += 1 / close[bar];
  inverse /= barCount;
  const step = priceStep(close, (STEP_MIN * deviation) / inverse);
  if (step === null) return [];
  const half = (step / 2) * inverse;
  const fact = `all prices are multiples of ${step}: half of such a step is ${percentText(half, 3)}`;
  return [{ kind: 'rounded-prices', count: barCount, bar: 0, slippage: half, fact }];
}

/** The largest of 1, 2 and 5 times a power of ten, at least `min`, that divides all prices. */
function priceStep(prices: Float64Array, min: number): number | null {
  for (let power = Math.ceil(Math.log10(prices[0])); ; power--) {
    for (const digit of [5, 2, 1]) {
      const step = power < 0 ? digit / 10 ** -power : digit * 10 ** power;
      if (!(step >= min)) return null;
      if (prices.every((price) => Math.abs(price / step - Math.round(price / step)) < 1e-6)) return step;
    }
  }
}

/**
 * Fills in bars whose only price is the close before them, when the market had already moved on.
 */
function stale({ open, high, low, close, barCount }: BarSeries, trades: readonly Trade[]): PriceDoubt[] {
  const isStale = (bar: number): boolean =>
    bar > 0 && high[bar] === low[bar] && close[bar] === close[bar - 1] && open[bar] === close[bar];
  let [count, inRows, moves, moved] = [0, 0, 0, 0];
  for (let bar = 1, run = 0; bar < barCount; bar++) {
    if (isStale(bar)) {
      run++;
      continue;
    }
    if (run > 0) {
      count += run;
      if (run > 1) inRows += run;
      moves++;
      moved += Math.abs(close[bar] / close[bar - 1] - 1);
    }
    run = 0;
  }
  if (inRows < STALE_IN_ROWS_MIN * barCount && count < STALE_SHARE_MIN * barCount) return [];
  const fills = trades.flatMap(({ entryBar, exitBar }) => [entryBar, exitBar]);
  const inStale = fills.filter(isStale);
  if (moves === 0 || inStale.length === 0) return [];
  const slippage = (inStale.length / fills.length) * (moved / moves);
  const fact = `${inStale.length} of ${counted(fills.length, 'fill')} lie in bars that repeat the price before them, and prices then move by ${percentText(moved / moves, 2)}: for each fill ${percentText(slippage, 3)}`;
  const bar = inStale.reduce((first, one) => Math.min(first, one));
  return [{ kind: 'stale-prices', count: inStale.length, bar, slippage, fact }];
}
