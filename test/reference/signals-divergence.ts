import { rsi, type Series } from './indicators.js';
import { and, gt, lt, or, type Rule, raw, relativeDifference, type Truth } from './signals-truth.js';

type Side = 'low' | 'high';

interface Swing {
  readonly is: boolean;
  /** Relative change of the values that would turn a swing into a non-swing or the reverse. */
  readonly margin: number;
}

/** An RSI of exactly 0 or 100 means that one side never moved, which rounding cannot blur. */
const closeness = (a: number, b: number): number =>
  relativeDifference(a, b, { scale: 100, tieIsExact: a === 0 || a === 100 });

function swingAt(x: Series, j: number, t: number, s: number, side: Side): Swing {
  const beyond: number[] = [];
  const within: number[] = [];
  for (let k = Math.max(0, j - s); k <= Math.min(t, j + s); k++) {
    if (k === j) continue;
    const holds = side === 'low' ? x[j] < x[k] : x[j] > x[k];
    (holds ? beyond : within).push(closeness(x[j], x[k]));
  }
  if (j === 0 || j === t) return { is: false, margin: Infinity };
  return within.length === 0 ? { is: true, margin: Math.min(...beyond) } : { is: false, margin: Math.max(...within) };
}

const swingsSeenFrom = (x: Series, t: number, s: number, side: Side): Swing[] => {
  const out: Swing[] = [];
  for (let j = 0; j <= t; j++) out.push(swingAt(x, j, t, s, side));
  return out;
};

const positions = (swings: Swing[]): number[] => swings.flatMap((swing, j) => (swing.is ? [j] : []));

/** The nearest position; the earlier one on a tie. */
const nearest = (list: number[], p: number): number => {
  let best = -1;
  for (const q of list) if (best < 0 || Math.abs(q - p) < Math.abs(best - p)) best = q;
  return best;
};

/** The smallest change after which another position is the one nearest to p. */
const choiceMargin = (swings: Swing[], p: number, q: number): number => {
  const reach = q < 0 ? Infinity : Math.abs(q - p);
  let margin = q < 0 ? Infinity : swings[q].margin;
  swings.forEach((swing, j) => {
    if (!swing.is && Math.abs(j - p) <= reach) margin = Math.min(margin, swing.margin);
  });
  return margin;
};

/** The change after which `wanted` is the one nearest to p. */
const switchMargin = (swings: Swing[], p: number, wanted: number): number => {
  let margin = swings[wanted].is ? 0 : swings[wanted].margin;
  swings.forEach((swing, j) => {
    if (swing.is && Math.abs(j - p) <= Math.abs(wanted - p) && j !== wanted) margin = Math.max(margin, swing.margin);
  });
  return margin;
};

export function divergence(
  close: Series,
  rsiWindow: number,
  s: number,
  minDistance: number,
  side: Side,
  priceRises: boolean,
): Rule {
  const r = rsi(close, rsiWindow);
  return (t) => {
    const fireAt = t - s;
    const closeSwings = positions(swingsSeenFrom(close, t, s, side));
    const swings = swingsSeenFrom(r, t, s, side);
    const list = positions(swings);
    const pairs: Truth[] = [];
    for (let i = 1; i < closeSwings.length; i++) {
      const p1 = closeSwings[i - 1];
      const p2 = closeSwings[i];
      if (p2 - p1 < minDistance) continue;
      const price = raw(priceRises ? close[p2] > close[p1] : close[p2] < close[p1]);
      const q1 = nearest(list, p1);
      const q2 = nearest(list, p2);
      const choice = Math.min(choiceMargin(swings, p1, q1), choiceMargin(swings, p2, q2));
      if (list.length >= 2 && q1 !== q2 && Math.max(p2, q2) === fireAt) {
        const strength = priceRises ? lt(r[q2], r[q1], { scale: 100 }) : gt(r[q2], r[q1], { scale: 100 });
        pairs.push(and(price, { value: strength.value, margin: Math.min(strength.margin, choice) }));
      } else if (p2 === fireAt || q2 === fireAt) pairs.push(and(price, { value: false, margin: choice }));
      else if (p2 < fireAt && fireAt < t) {
        pairs.push(and(price, { value: false, margin: switchMargin(swings, p2, fireAt) }));
      }
    }
    return pairs.length === 0 ? raw(false) : or(...pairs);
  };
}
