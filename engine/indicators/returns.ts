import { type Column, close, columnOf, defineKernel, type OpenStream } from './column.js';
import { line, overBars, two } from './indicator.js';
import { ofTwoBars } from './stream.js';

const cumulativeReturnStream: OpenStream = () => {
  let first: number | null = null;
  return ([close], outputs) => {
    first ??= close;
    outputs[0] = 100 * (close / first - 1);
  };
};

const cumulativeReturnKernel = defineKernel('CUMULATIVE_RETURN', cumulativeReturnStream, ([c], _, [out]) => {
  for (let t = 0; t < out.length; t++) out[t] = 100 * (c[t] / c[0] - 1);
});
/** Percent gained since the first bar supplied; depends on the history loaded. */
export const CUMULATIVE_RETURN: Column = columnOf(cumulativeReturnKernel, [close]);

const returnKernel = defineKernel('RETURN', ofTwoBars, ([c], _, [out]) => {
  out.fill(NaN, 0, 1);
  for (let t = 1; t < out.length; t++) out[t] = 100 * (c[t] / c[t - 1] - 1);
});
/** One-bar return in percent. */
export const RETURN: Column = columnOf(returnKernel, [close]);

export const returns = {
  RETURN: overBars({
    title: 'One-bar return',
    formula: 'DR[t] = 100*(C[t]/C[t-1]-1)',
    params: {},
    lines: () => ({ return: RETURN }),
    functions: { daily_return: line('return', 'change of the close over one bar, in percent', {}, two) },
  }),
  CUMRETURN: overBars({
    title: 'Cumulative return',
    formula: 'CR[t] = 100*(C[t]/C[0]-1), C[0] = first bar supplied',
    params: {},
    lines: () => ({ cumulative_return: CUMULATIVE_RETURN }),
    functions: {
      cumulative_return: line(
        'cumulative_return',
        'change of the close since the first bar loaded, in percent',
        {},
        two,
      ),
    },
  }),
} as const;
