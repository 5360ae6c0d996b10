import assert from 'node:assert/strict';
import test from 'node:test';
import { listDrawdowns } from '../../../report/risk.js';
import { randomSheet } from '../../support/report.js';

const HOUR_MS = 3_600_000;

function sheetOf(equity: readonly number[]) {
  const sheet = randomSheet({ barCount: equity.length, tradeCount: 1 });
  const time = Float64Array.from(equity, (_, i) => i * HOUR_MS);
  return {
    ...sheet,
    initialBalance: 100,
    window: { startMs: 0, endMs: equity.length * HOUR_MS },
    bars: { ...sheet.bars, time },
    equity: Float64Array.from(equity),
  };
}

test('drawdowns are listed deepest first, from peak to recovery, and one that lasts has no end', () => {
  const found = listDrawdowns(sheetOf([100, 90, 95, 100, 120, 60, 90, 120, 130, 117, 125]));
  assert.deepEqual(
    found.map(({ depth, ...rest }) => ({ ...rest, depth: Number(depth.toFixed(6)) })),
    [
      { peakMs: 4 * HOUR_MS, lowMs: 5 * HOUR_MS, recoveredMs: 7 * HOUR_MS, bars: 3, depth: -0.5 },
      { peakMs: 0, lowMs: HOUR_MS, recoveredMs: 3 * HOUR_MS, bars: 3, depth: -0.1 },
      { peakMs: 8 * HOUR_MS, lowMs: 9 * HOUR_MS, recoveredMs: null, bars: 2, depth: -0.1 },
    ],
  );
});

test('an account that loses from its first bar on falls from the initial balance', () => {
  const [first] = listDrawdowns(sheetOf([80, 70, 75]));
  assert.deepEqual([first?.peakMs, first?.lowMs, first?.recoveredMs, first?.bars], [0, HOUR_MS, null, 3]);
  assert.deepEqual(listDrawdowns(sheetOf([100, 101, 101, 102])), []);
});
