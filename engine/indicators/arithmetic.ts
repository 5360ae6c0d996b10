import type { Kernels } from '../simd/kernels.js';
import { type Column, close, columnOf, defineKernel, high, low, type OpenStream, type SimdLoop } from './column.js';
import { ofOneBar, Recent } from './stream.js';

/*
 * One value per bar from values of the same bar. IEEE division: x/0 is infinite, 0/0 is NaN, as the
 * definitions expect.
 */

type BinaryLoop = (a: Float64Array, b: Float64Array, out: Float64Array) => void;

// One loop per operation, written out: a callback per bar would cost more than the arithmetic.
const sum: BinaryLoop = (a, b, out) => {
  for (let t = 0; t < out.length; t++) out[t] = a[t] + b[t];
};
const difference: BinaryLoop = (a, b, out) => {
  for (let t = 0; t < out.length; t++) out[t] = a[t] - b[t];
};
const product: BinaryLoop = (a, b, out) => {
  for (let t = 0; t < out.length; t++) out[t] = a[t] * b[t];
};
const ratio: BinaryLoop = (a, b, out) => {
  for (let t = 0; t < out.length; t++) out[t] = a[t] / b[t];
};
const percentage: BinaryLoop = (a, b, out) => {
  // 100 * (a / b) is never beyond 100 where a equals b.
  for (let t = 0; t < out.length; t++) out[t] = 100 * (a[t] / b[t]);
};
const larger: BinaryLoop = (a, b, out) => {
  for (let t = 0; t < out.length; t++) out[t] = Math.max(a[t], b[t]);
};
const smaller: BinaryLoop = (a, b, out) => {
  for (let t = 0; t < out.length; t++) out[t] = Math.min(a[t], b[t]);
};

type BinaryName = 'add' | 'subtract' | 'multiply' | 'divide' | 'percent';

const binary = (name: string, loop: BinaryLoop, simd: BinaryName | null = null) => {
  const inMemory: SimdLoop | null = simd && ((kernels, length, [a, b], _, [out]) => kernels[simd](a, b, length, out));
  const kernel = defineKernel(name, ofOneBar, ([a, b], _, [out]) => loop(a, b, out), { simd: inMemory });
  return (a: Column, b: Column): Column => columnOf(kernel, [a, b]);
};

export const ADD = binary('ADD', sum, 'add');
export const SUBTRACT = binary('SUBTRACT', difference, 'subtract');
export const MULTIPLY = binary('MULTIPLY', product, 'multiply');
export const DIVIDE = binary('DIVIDE', ratio, 'divide');
/** 100 a / b. */
export const PERCENT = binary('PERCENT', percentage, 'percent');
/** Larger and smaller of two values; NaN when either is. */
export const LARGER = binary('LARGER', larger);
export const SMALLER = binary('SMALLER', smaller);

const combineKernel = defineKernel(
  'COMBINE',
  ofOneBar,
  ([a, b], [wa, wb], [out]) => {
    for (let t = 0; t < out.length; t++) out[t] = wa * a[t] + wb * b[t];
  },
  { simd: (kernels, length, [a, b], [wa, wb], [out]) => kernels.combine(wa, a, wb, b, length, out) },
);

/** wa a + wb b. */
export const COMBINE = (wa: number, a: Column, wb: number, b: Column): Column =>
  columnOf(combineKernel, [a, b], [wa, wb]);

const scaleKernel = defineKernel('SCALE', ofOneBar, ([x], [scale], [out]) => {
  for (let t = 0; t < out.length; t++) out[t] = scale * x[t];
});

/** scale x. */
export const SCALE = (scale: number, x: Column): Column => columnOf(scaleKernel, [x], [scale]);

/** Runs `loop` over the bars that have a bar `bars` bars earlier; the other bars have no value. */
const lagging =
  (
    loop: (kernels: Kernels, length: number, now: number, before: number, scale: number, out: number) => void,
  ): SimdLoop =>
  (kernels, length, [x], [bars, scale], [out]) => {
    const skipped = Math.min(bars, length);
    const offset = skipped * Float64Array.BYTES_PER_ELEMENT;
    kernels.fill(out, 0, skipped, NaN);
    loop(kernels, length - skipped, x + offset, x, scale, out + offset);
  };

/** x some bars ago beside x now: runs a kernel that reads these two as one that reads two bars. */
const lagged: OpenStream = ([bars, ...rest], { run }) => {
  const recent = new Recent(bars + 1);
  const pair = new Float64Array(2);
  const result = new Float64Array(2);
  const params = [1, ...rest];
  let t = -1;
  return ([x], outputs) => {
    t++;
    recent.add(x);
    if (t < bars) outputs[0] = NaN;
    else {
      pair[0] = recent.at(bars);
      pair[1] = x;
      run([pair], params, [result]);
      outputs[0] = result[1];
    }
  };
};

const changeKernel = defineKernel(
  'CHANGE',
  lagged,
  ([x], [bars], [out]) => {
    out.fill(NaN, 0, Math.min(bars, out.length));
    for (let t = bars; t < out.length; t++) out[t] = x[t] - x[t - bars];
  },
  { simd: lagging((kernels, length, now, before, _, out) => kernels.subtract(now, before, length, out)) },
);

const growthKernel = defineKernel(
  'GROWTH',
  lagged,
  ([x], [bars, scale], [out]) => {
    out.fill(NaN, 0, Math.min(bars, out.length));
    for (let t = bars; t < out.length; t++) out[t] = scale * ((x[t] - x[t - bars]) / x[t - bars]);
  },
  { simd: lagging((kernels, length, now, before, scale, out) => kernels.growth(now, before, scale, length, out)) },
);

/** x[t] - x[t-bars]. */
export const CHANGE = (x: Column, bars: number): Column => columnOf(changeKernel, [x], [bars]);

/** scale (x[t] - x[t-bars]) / x[t-bars]; scale 100 gives percent. */
export const GROWTH = (x: Column, bars: number, scale: number): Column => columnOf(growthKernel, [x], [bars, scale]);

/** x some bars ago. */
const shiftStream: OpenStream = ([bars]) => {
  const recent = new Recent(bars + 1);
  return ([x], outputs) => {
    recent.add(x);
    outputs[0] = recent.at(bars);
  };
};

const shiftKernel = defineKernel('SHIFT', shiftStream, ([x], [bars], [out]) => {
  out.fill(NaN, 0, Math.min(bars, out.length));
  if (bars < out.length) out.set(x.subarray(0, out.length - bars), bars);
});
/** x[t-bars]. */
export const SHIFT = (x: Column, bars: number): Column => (bars === 0 ? x : columnOf(shiftKernel, [x], [bars]));

const constantKernel = defineKernel('CONSTANT', ofOneBar, (_inputs, [value], [out]) => out.fill(value));
/** The same value on every bar. */
export const CONSTANT = (value: number): Column => columnOf(constantKernel, [], [value]);

/** The newest value that is a number. */
const latestStream: OpenStream = () => {
  let newest = NaN;
  return ([x], outputs) => {
    if (!Number.isNaN(x)) newest = x;
    outputs[0] = newest;
  };
};

const latestKernel = defineKernel('LATEST', latestStream, ([x], _, [out]) => {
  let latest = NaN;
  for (let t = 0; t < out.length; t++) {
    if (!Number.isNaN(x[t])) latest = x[t];
    out[t] = latest;
  }
});
/** The newest value of x that is a number, of this bar or before. */
export const LATEST = (x: Column): Column => columnOf(latestKernel, [x]);

const absoluteKernel = defineKernel('ABSOLUTE', ofOneBar, ([x], _, [out]) => {
  for (let t = 0; t < out.length; t++) out[t] = Math.abs(x[t]);
});
export const ABSOLUTE = (x: Column): Column => columnOf(absoluteKernel, [x]);

const typicalKernel = defineKernel(
  'TYPICAL',
  ofOneBar,
  ([h, l, c], _, [out]) => {
    for (let t = 0; t < out.length; t++) out[t] = (h[t] + l[t] + c[t]) / 3;
  },
  { simd: (kernels, length, [h, l, c], _, [out]) => kernels.meanOfThree(h, l, c, length, out) },
);
const medianKernel = defineKernel('MEDIAN', ofOneBar, ([h, l], _, [out]) => {
  for (let t = 0; t < out.length; t++) out[t] = (h[t] + l[t]) / 2;
});

/** (high + low + close) / 3. */
export const typicalPrice: Column = columnOf(typicalKernel, [high, low, close]);
/** (high + low) / 2. */
export const medianPrice: Column = columnOf(medianKernel, [high, low]);
/** high - low. */
export const barRange: Column = SUBTRACT(high, low);
