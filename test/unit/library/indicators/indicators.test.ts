import assert from 'node:assert/strict';
import test from 'node:test';
import { source } from '../../../../engine/indicators/column.js';
import { Frame } from '../../../../engine/indicators/frame.js';
import { indicatorFunctions } from '../../../../engine/indicators/functions.js';
import { barAt } from '../../../../engine/series/index.js';
import type { BarIndicator, ColumnIndicator } from '../../../../library/index.js';
import * as barline from '../../../../library/index.js';
import { randomBars } from '../../../support/random.js';

const bars = randomBars({ seed: 9, barCount: 90 });
const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

for (const [name, { params, takesColumn, build, bars: warmup }] of indicatorFunctions) {
  test(`the library exports ${camel(name)}, over columns and one bar at a time`, () => {
    const args = params.map(({ isWhole, min, max }) => (isWhole ? min + 4 : Math.min(max, Math.max(min, 0.5))));
    const exported = (barline as unknown as Record<string, unknown>)[camel(name)];
    const expected = Frame.of(bars).column(build(source('close'), ...args));
    let next: (i: number) => number;
    if (takesColumn) {
      const indicator = exported as ColumnIndicator<number[]>;
      assert.deepEqual(indicator(bars.close, ...args), expected);
      assert.deepEqual(indicator([...bars.close], ...args), expected);
      const stream = indicator.stream(...args);
      next = (i) => stream.next(bars.close[i]!);
      assert.equal(indicator.warmup(...args), warmup(...args));
    } else {
      const indicator = exported as BarIndicator<number[], 'open' | 'high' | 'low' | 'close' | 'volume'>;
      assert.deepEqual(indicator(bars, ...args), expected);
      const stream = indicator.stream(...args);
      next = (i) => stream.next(barAt(bars, i));
    }
    assert.deepEqual(
      Float64Array.from(bars.close, (_, i) => next(i)),
      expected,
    );
  });
}

const refused: readonly (readonly [() => unknown, RegExp])[] = [
  [() => barline.rsi(bars.close, 0), /rsi: n must be a whole number 1\.\.2000, was 0/],
  [() => barline.bollingerUpper(bars, 20, Number.NaN), /deviations must be a number 0\.\.100, was NaN/],
  [() => (barline.ema as (...args: unknown[]) => unknown)(bars.close), /ema must have 1 arguments \(n\), had 0/],
  [() => barline.atr({ high: bars.high, low: bars.low } as never, 14), /atr: close is required/],
  [
    () => barline.atr({ high: bars.high, low: [1], close: bars.close }, 14),
    /low must have 90 values, as high has, has 1/,
  ],
];

test('an indicator refuses what it cannot compute by name', () => {
  for (const [call, message] of refused)
    assert.throws(call, (error: unknown) => error instanceof barline.EngineError && message.test(error.message));
});
