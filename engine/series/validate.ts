import { EngineError } from '../errors.js';
import type { BarSeries } from './bars.js';
import { isoTime } from './time.js';

/**
 * Refuses the first bar that breaks a rule: five finite numbers, prices above 0, volume at least 0,
 * high >= max(open, close), low <= min(open, close), open times finite and strictly ascending.
 *
 * @param rowName what the source calls bar i (`line 7 of bars.csv`), for the message
 * @throws INVALID_DATA naming the row, the rule and the values; bars are never repaired
 */
export function validateBars(bars: BarSeries, rowName: (index: number) => string = (i) => `bar ${i}`): void {
  const { barCount, time, open, high, low, close, volume } = bars;
  for (let i = 0; i < barCount; i++) {
    const valid =
      Number.isFinite(time[i]) &&
      (i === 0 || time[i] > time[i - 1]) &&
      open[i] > 0 &&
      low[i] > 0 &&
      close[i] > 0 &&
      high[i] >= open[i] &&
      high[i] >= close[i] &&
      low[i] <= open[i] &&
      low[i] <= close[i] &&
      high[i] < Infinity &&
      volume[i] >= 0 &&
      volume[i] < Infinity;
    if (!valid) throw new EngineError('INVALID_DATA', `${rowName(i)}: ${brokenRule(bars, i)}`, { bar: i });
  }
}

function brokenRule({ time, open, high, low, close, volume }: BarSeries, i: number): string {
  if (!Number.isFinite(time[i])) return `timestamp must be a finite time, was ${time[i]}`;
  for (const [name, column] of Object.entries({ open, high, low, close })) {
    if (!(column[i] > 0 && column[i] < Infinity)) return `${name} must be a finite number above 0, was ${column[i]}`;
  }
  if (!(volume[i] >= 0 && volume[i] < Infinity)) return `volume must be a finite number >= 0, was ${volume[i]}`;
  if (high[i] < Math.max(open[i], close[i])) {
    return `high must be >= max(open, close), was ${high[i]} against ${Math.max(open[i], close[i])}`;
  }
  if (low[i] > Math.min(open[i], close[i])) {
    return `low must be <= min(open, close), was ${low[i]} against ${Math.min(open[i], close[i])}`;
  }
  const relation = time[i] === time[i - 1] ? 'is a duplicate of' : 'is not after';
  return `timestamp ${isoTime(time[i])} ${relation} the one before (${isoTime(time[i - 1])})`;
}
