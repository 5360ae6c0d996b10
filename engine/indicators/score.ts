import { type Column, columnOf, defineKernel } from './column.js';
import { overColumn } from './indicator.js';
import { DEVIATION } from './rolling.js';
import { ofTwoBars } from './stream.js';

const scoreKernel = defineKernel('SCORE', ofTwoBars, ([x, mean, deviation], _, [out]) => {
  out.fill(NaN, 0, 1);
  for (let t = 1; t < out.length; t++) out[t] = (x[t] - mean[t - 1]) / deviation[t - 1];
});

/**
 * Distance of x from the mean of the `window` values before it, in units of their sample deviation.
 */
export function SCORE(x: Column, window: number): Column {
  const [mean, deviation] = DEVIATION(x, window, 1);
  return columnOf(scoreKernel, [x, mean, deviation]);
}

export const observations = {
  CLEAN: overColumn({
    title: 'Observations of a chain column',
    formula:
      'X = the named column with missing/null/non-numeric entries removed (order kept); m = number of remaining observations, X[m-1] the newest; absent or empty column gives False',
    params: {},
    lines: (_params, x) => ({ observations: x }),
  }),
} as const;
