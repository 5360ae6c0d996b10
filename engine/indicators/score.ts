import { type Column, columnOf, defineKernel } from './column.js';
import { DEVIATION } from './rolling.js';

const scoreKernel = defineKernel('SCORE', ([x, mean, deviation], _, [out]) => {
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
