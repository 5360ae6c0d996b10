import { type Column, columnOf, defineKernel, type OpenStream } from './column.js';
import { ofOneBar, ofTwoBars, ofWindow } from './stream.js';

/*
 * Conditions as columns: 1 where true, 0 where false, NaN where a value that the condition reads is
 * undefined. Formulas need them where a number is made of a condition.
 */

type Test = (a: number, b: number) => boolean;

const comparing = (name: string, test: Test) => {
  const kernel = defineKernel(name, ofOneBar, ([a, b], _, [out]) => {
    for (let t = 0; t < out.length; t++) {
      out[t] = Number.isNaN(a[t]) || Number.isNaN(b[t]) ? NaN : Number(test(a[t], b[t]));
    }
  });
  return (a: Column, b: Column): Column => columnOf(kernel, [a, b]);
};

export const COMPARED = {
  '<': comparing('IS_BELOW', (a, b) => a < b),
  '<=': comparing('IS_AT_MOST', (a, b) => a <= b),
  '>': comparing('IS_ABOVE', (a, b) => a > b),
  '>=': comparing('IS_AT_LEAST', (a, b) => a >= b),
  '==': comparing('IS_EQUAL', (a, b) => a === b),
  '!=': comparing('IS_UNEQUAL', (a, b) => a !== b),
} as const;

/** Both hold; and one of two holds, where the other may be undefined. */
export const BOTH = comparing('BOTH', (a, b) => a === 1 && b === 1);

const eitherKernel = defineKernel('EITHER', ofOneBar, ([a, b], _, [out]) => {
  for (let t = 0; t < out.length; t++) out[t] = a[t] === 1 || b[t] === 1 ? 1 : a[t] + b[t];
});
export const EITHER = (a: Column, b: Column): Column => columnOf(eitherKernel, [a, b]);

const notKernel = defineKernel('NOT', ofOneBar, ([a], _, [out]) => {
  for (let t = 0; t < out.length; t++) out[t] = 1 - a[t];
});
export const NOT = (a: Column): Column => columnOf(notKernel, [a]);

const crossedKernel = defineKernel('CROSSED', ofTwoBars, ([a, b], _, [out]) => {
  for (let t = 0; t < out.length; t++) {
    const change = t === 0 ? NaN : a[t] - b[t] + (a[t - 1] - b[t - 1]);
    out[t] = Number.isNaN(change) ? NaN : Number(a[t - 1] <= b[t - 1] && a[t] > b[t]);
  }
});
/** a was at or below b on the bar before and is above it now. */
export const CROSSED = (a: Column, b: Column): Column => columnOf(crossedKernel, [a, b]);

/** See `RECENTLY`. */
const recentlyStream: OpenStream = ([bars]) => {
  let since = Infinity;
  return ([truth], outputs) => {
    since = truth === 1 ? 0 : since + 1;
    outputs[0] = since < bars ? 1 : truth;
  };
};

const recentKernel = defineKernel('RECENTLY', recentlyStream, ([a], [bars], [out]) => {
  let since = Infinity;
  for (let t = 0; t < out.length; t++) {
    since = a[t] === 1 ? 0 : since + 1;
    out[t] = since < bars ? 1 : a[t];
  }
});
/** True on one of the last bars, this one included. */
export const RECENTLY = (a: Column, bars: number): Column => columnOf(recentKernel, [a], [bars]);

/** See `BARS_SINCE`. */
const barsSinceStream: OpenStream = () => {
  let since = NaN;
  return ([truth], outputs) => {
    since = truth === 1 ? 0 : since + 1;
    outputs[0] = since;
  };
};

const sinceKernel = defineKernel('BARS_SINCE', barsSinceStream, ([a], _, [out]) => {
  let since = NaN;
  for (let t = 0; t < out.length; t++) {
    since = a[t] === 1 ? 0 : since + 1;
    out[t] = since;
  }
});
/** Bars since the condition was last true, 0 there; undefined before. */
export const BARS_SINCE = (a: Column): Column => columnOf(sinceKernel, [a]);

/** See `VALUE_WHEN`. */
const valueWhenStream: OpenStream = () => {
  let value = NaN;
  return ([truth, x], outputs) => {
    if (truth === 1) value = x;
    outputs[0] = value;
  };
};

const whenKernel = defineKernel('VALUE_WHEN', valueWhenStream, ([a, x], _, [out]) => {
  let value = NaN;
  for (let t = 0; t < out.length; t++) {
    if (a[t] === 1) value = x[t];
    out[t] = value;
  }
});
/** x on the bar on which the condition was last true; undefined before. */
export const VALUE_WHEN = (a: Column, x: Column): Column => columnOf(whenKernel, [a, x]);

const rankKernel = defineKernel(
  'PERCENT_RANK',
  ofWindow(([bars]) => bars + 1),
  ([x], [bars], [out]) => {
    for (let t = 0; t < out.length; t++) {
      let count = t < bars ? NaN : 0;
      for (let k = t - bars; k < t && !Number.isNaN(count); k++) {
        if (Number.isNaN(x[k]) || Number.isNaN(x[t])) count = NaN;
        else if (x[k] <= x[t]) count++;
      }
      out[t] = (100 * count) / bars;
    }
  },
);
/** Percent, 0..100, of the n values before this one that are at most this one. */
export const PERCENT_RANK = (x: Column, bars: number): Column => columnOf(rankKernel, [x], [bars]);
