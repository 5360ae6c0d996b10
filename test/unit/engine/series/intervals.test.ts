import assert from 'node:assert/strict';
import test from 'node:test';
import { barsPerYear, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../engine/series/intervals.js';

test('a year has the bars of its trading days, and of whole days for intervals above a day', () => {
  const shares = { trading_days_per_year: 252, trading_hours_per_day: 6.5 };
  const currencies = { trading_days_per_year: 260, trading_hours_per_day: 24 };
  const cases = [
    [MINUTE_MS, undefined, 525_600],
    [HOUR_MS, undefined, 8_760],
    [DAY_MS, undefined, 365],
    [7 * DAY_MS, undefined, 365 / 7],
    [30 * MINUTE_MS, shares, 252 * 13],
    [DAY_MS, shares, 252],
    [12 * HOUR_MS, shares, 252], // a bar on each day, however short the session
    [7 * DAY_MS, shares, 365 / 7],
    [HOUR_MS, currencies, 6_240],
  ] as const;
  for (const [intervalMs, calendar, count] of cases) assert.equal(barsPerYear(intervalMs, calendar), count);
});
