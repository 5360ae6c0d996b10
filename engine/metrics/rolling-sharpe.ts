import { DAY_MS } from '../series/index.js';
import { barReturns, DEVIATION_MIN } from './returns.js';

const WINDOW_MS = 30 * DAY_MS;
const WINDOW_MIN = 2;

/**
 * Default window: the bars of 30 days, or a quarter of a run that has fewer than four such windows;
 * at least 2.
 */
export const sharpeWindow = (barCount: number, intervalMs: number): number =>
  Math.max(WINDOW_MIN, Math.floor(Math.min(WINDOW_MS / intervalMs, barCount / 4)));

/**
 * Sharpe ratio of the last `window` returns at every bar that has that many. Value i belongs to
 * tradable bar i + window - 1, so there is no warm-up and no NaN. Annualized, and 0 without
 * deviation, as is `sharpe_ratio`; a window over the whole run equals that metric. Empty when the
 * run is shorter than the window.
 *
 * @param equity account value at the close of each bar
 * @throws RangeError when the window is not a whole number of at least 2 bars
 */
export function rollingSharpe(
  equity: Float64Array,
  initialBalance: number,
  window: number,
  barsPerYear: number,
): Float64Array {
  if (!(Number.isInteger(window) && window >= WINDOW_MIN)) {
    throw new RangeError(`window must be a whole number of at least ${WINDOW_MIN} bars, was ${window}`);
  }
  return windowSharpes(barReturns(equity, initialBalance), window, barsPerYear);
}

/**
 * Every window consists of the end of one block of `window` returns and the start of the next. Each
 * part has sums of its own, which the rule of Chan, Golub and LeVeque joins. Nothing is ever
 * subtracted, so a large return leaves no rounding error behind, and the cost per bar does not
 * depend on the window.
 */
export function windowSharpes(returns: Float64Array, window: number, barsPerYear: number): Float64Array {
  const count = Math.max(0, returns.length - window + 1);
  const ratios = new Float64Array(count);
  if (count === 0) return ratios; // a long window needs no buffers then
  const scale = Math.sqrt(barsPerYear);
  const endMeans = new Float64Array(window);
  const endSquares = new Float64Array(window); // of the deviations from the mean
  for (let from = 0; from < count; from += window) {
    measureEnds(returns, from, endMeans, endSquares);
    ratios[from] = ratio(endMeans[0], endSquares[0], window) * scale;
    const heads = Math.min(window, count - from);
    let mean = 0;
    let squares = 0;
    for (let head = 1; head < heads; head++) {
      const value = returns[from + window + head - 1];
      const deviation = value - mean;
      mean += deviation / head;
      squares += deviation * (value - mean);
      const gap = mean - endMeans[head];
      const share = head / window;
      const joined = endSquares[head] + squares + gap * gap * (window - head) * share;
      ratios[from + head] = ratio(endMeans[head] + gap * share, joined, window) * scale;
    }
  }
  return ratios;
}

/** Welford's sums over returns `from + i` to the end of the block, for every i. */
function measureEnds(returns: Float64Array, from: number, means: Float64Array, squares: Float64Array): void {
  const window = means.length;
  let mean = 0;
  let sum = 0;
  for (let i = window - 1; i >= 0; i--) {
    const value = returns[from + i];
    const deviation = value - mean;
    mean += deviation / (window - i);
    sum += deviation * (value - mean);
    means[i] = mean;
    squares[i] = sum;
  }
}

function ratio(mean: number, squares: number, count: number): number {
  const deviation = Math.sqrt(squares / (count - 1));
  return deviation < DEVIATION_MIN ? 0 : mean / deviation;
}
