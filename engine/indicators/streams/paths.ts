import { DAY_MS } from '../../series/intervals.js';
import { type OpenStream, Recent } from '../stream.js';
import { rangeFrom } from '../volatility.js';

/*
 * Kernels whose value depends on the way there, such as trailing stops and running totals, one bar
 * at a time: the loops of their kernels with the state kept between.
 */

/** [+DI, -DI, ADX], see `directionalMovement`. */
export const adx: OpenStream = ([window]) => {
  const keep = 1 - 1 / window;
  const weight = 1 / window;
  let range = 0;
  let plus = 0;
  let minus = 0;
  let average = 0;
  let indices = 0;
  let age = keep;
  let highBefore = NaN;
  let lowBefore = NaN;
  let closeBefore = NaN;
  let t = -1;
  return ([high, low, close], outputs) => {
    t++;
    outputs.fill(NaN);
    if (t > 0) {
      const up = high - highBefore;
      const down = lowBefore - low;
      const fade = t > window ? keep : 1;
      range = range * fade + rangeFrom(closeBefore, high, low);
      plus = plus * fade + (up > down && up > 0 ? up : 0);
      minus = minus * fade + (down > up && down > 0 ? down : 0);
    }
    highBefore = high;
    lowBefore = low;
    closeBefore = close;
    if (t < Math.max(1, window)) return;
    if (t > window) {
      outputs[0] = 100 * (plus / range);
      outputs[1] = 100 * (minus / range);
    }
    const index = 100 * (Math.abs(plus - minus) / (plus + minus));
    if (Number.isNaN(index)) {
      if (indices === window) age *= keep;
    } else if (indices < window) {
      average += index;
      if (++indices === window) average /= window;
    } else if (age === keep) {
      average += (index - average) * weight;
    } else {
      average += ((index - average) * weight) / (age + weight);
      age = keep;
    }
    if (indices === window) outputs[2] = average;
  };
};

/** Parabolic stop and reverse, see the kernel. */
export const psar: OpenStream = ([step, maxStep]) => {
  let isLong = true;
  let factor = step;
  let extremeHigh = NaN;
  let extremeLow = NaN;
  let sar = NaN;
  const [highs, lows] = [new Recent(3), new Recent(3)];
  let t = -1;
  return ([high, low, close], outputs) => {
    t++;
    highs.add(high);
    lows.add(low);
    if (t === 0) {
      extremeHigh = high;
      extremeLow = low;
    }
    if (t < 2) {
      sar = close;
    } else if (isLong) {
      let value = sar + factor * (extremeHigh - sar);
      if (low < value) {
        value = extremeHigh;
        extremeLow = low;
        factor = step;
        isLong = false;
      } else {
        if (high > extremeHigh) {
          extremeHigh = high;
          factor = Math.min(factor + step, maxStep);
        }
        if (lows.at(2) < value) value = lows.at(2);
        else if (lows.at(1) < value) value = lows.at(1);
      }
      sar = value;
    } else {
      let value = sar - factor * (sar - extremeLow);
      if (high > value) {
        value = extremeLow;
        extremeHigh = high;
        factor = step;
        isLong = true;
      } else {
        if (low < extremeLow) {
          extremeLow = low;
          factor = Math.min(factor + step, maxStep);
        }
        if (highs.at(2) > value) value = highs.at(2);
        else if (highs.at(1) > value) value = highs.at(1);
      }
      sar = value;
    }
    outputs[0] = sar;
  };
};

/** Direction of the SuperTrend, see the kernel. */
export const superTrend: OpenStream = ([window, multiplier]) => {
  let current = 1;
  let previousLower = NaN;
  let previousUpper = NaN;
  let t = -1;
  return ([high, low, close, range], outputs) => {
    t++;
    const middle = (high + low) / 2;
    let lower = middle - multiplier * range;
    let upper = middle + multiplier * range;
    if (t > 0) {
      if (close > previousUpper) current = 1;
      else if (close < previousLower) current = -1;
      else if (current === 1 && lower < previousLower) lower = previousLower;
      else if (current === -1 && upper > previousUpper) upper = previousUpper;
    }
    outputs[0] = t >= window ? current : NaN;
    previousLower = lower;
    previousUpper = upper;
  };
};

/** Direction of an ATR trailing stop, see the kernel. */
export const atrStop: OpenStream = ([window, multiplier]) => {
  let current = 0;
  let stop = 0;
  let before = NaN;
  let t = -1;
  return ([close, range], outputs) => {
    t++;
    const distance = multiplier * range;
    if (t === window) {
      current = close >= before ? 1 : -1;
      stop = close - current * distance;
    } else if (current === 1) {
      if (close < stop) {
        current = -1;
        stop = close + distance;
      } else {
        stop = Math.max(stop, close - distance);
      }
    } else if (current === -1) {
      if (close > stop) {
        current = 1;
        stop = close - distance;
      } else {
        stop = Math.min(stop, close + distance);
      }
    }
    before = close;
    outputs[0] = current;
  };
};

/** [close, open] of the averaged candles. */
export const heikinAshi: OpenStream = () => {
  let haOpen = NaN;
  let haClose = NaN;
  let isFirst = true;
  return ([open, high, low, close], outputs) => {
    haOpen = isFirst ? (open + close) / 2 : (haOpen + haClose) / 2;
    haClose = (open + high + low + close) / 4;
    isFirst = false;
    outputs[0] = haClose;
    outputs[1] = haOpen;
  };
};

export const total: OpenStream = () => {
  let all = 0;
  return ([x], outputs) => {
    all += x;
    outputs[0] = all;
  };
};

/** Volume price trend. */
export const volumePriceTrend: OpenStream = () => {
  let all = 0;
  let before = NaN;
  let isFirst = true;
  return ([close, volume], outputs) => {
    if (!isFirst) all += (close / before - 1) * volume;
    outputs[0] = isFirst ? NaN : all;
    before = close;
    isFirst = false;
  };
};

/** [index, line] of the negative volume index. */
export const negativeVolume: OpenStream = ([window]) => {
  const weight = 2 / (window + 1);
  let value = 1000;
  let deviation = 0;
  let closeBefore = NaN;
  let volumeBefore = NaN;
  let isFirst = true;
  return ([close, volume], outputs) => {
    const isLess = Number(!isFirst && volume < volumeBefore);
    value *= 1 - isLess + isLess * (close / (isFirst ? close : closeBefore));
    deviation = (1 - weight) * deviation + weight * (value - 1000);
    closeBefore = close;
    volumeBefore = volume;
    isFirst = false;
    outputs[0] = value;
    outputs[1] = 1000 + deviation;
  };
};

export const cumulativeReturn: OpenStream = () => {
  let first: number | null = null;
  return ([close], outputs) => {
    first ??= close;
    outputs[0] = 100 * (close / first - 1);
  };
};

/** The newest value that is a number. */
export const latest: OpenStream = () => {
  let newest = NaN;
  return ([x], outputs) => {
    if (!Number.isNaN(x)) newest = x;
    outputs[0] = newest;
  };
};

/** Squares of the percent drawdown, see the kernel. */
export const drawdownSquares: OpenStream = ([window]) => {
  let top = -Infinity;
  let t = -1;
  return ([x, highest], outputs) => {
    t++;
    if (t < window) top = t === window - 1 ? highest : Math.max(top, x);
    const peak = t < window ? top : highest;
    const drawdown = (100 * (x - peak)) / peak;
    outputs[0] = drawdown * drawdown;
  };
};

/** x some bars ago beside x now: runs a kernel that reads these two as one that reads two bars. */
export const lagged: OpenStream = ([bars, ...rest], { run }) => {
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

/** x some bars ago. */
export const shifted: OpenStream = ([bars]) => {
  const recent = new Recent(bars + 1);
  return ([x], outputs) => {
    recent.add(x);
    outputs[0] = recent.at(bars);
  };
};

/** Price some bars ago minus the mean of now. */
export const detrended: OpenStream = ([window]) => {
  const lag = Math.floor(window / 2) + 1;
  const recent = new Recent(lag + 1);
  return ([x, mean], outputs) => {
    recent.add(x);
    outputs[0] = recent.at(lag) - mean;
  };
};

/** See `RECENTLY`. */
export const recently: OpenStream = ([bars]) => {
  let since = Infinity;
  return ([truth], outputs) => {
    since = truth === 1 ? 0 : since + 1;
    outputs[0] = since < bars ? 1 : truth;
  };
};

/** See `BARS_SINCE`. */
export const barsSince: OpenStream = () => {
  let since = NaN;
  return ([truth], outputs) => {
    since = truth === 1 ? 0 : since + 1;
    outputs[0] = since;
  };
};

/** See `VALUE_WHEN`. */
export const valueWhen: OpenStream = () => {
  let value = NaN;
  return ([truth, x], outputs) => {
    if (truth === 1) value = x;
    outputs[0] = value;
  };
};

/** See `sessionVwap`. */
export const sessionVwap: OpenStream = () => {
  let day = NaN;
  let [traded, amount] = [0, 0];
  return ([closeTime, price, volume], outputs) => {
    const own = Math.floor((closeTime - 1) / DAY_MS);
    if (own !== day) [traded, amount] = [0, 0];
    day = own;
    traded += price * volume;
    amount += volume;
    outputs[0] = traded / amount;
  };
};
