import assert from 'node:assert/strict';
import test from 'node:test';
import { Candles } from '../../../../../report/browser/candles.js';
import { closeupView } from '../../../../../report/browser/closeup-view.js';
import { sortedIndices } from '../../../../../report/browser/page.js';
import { Trades } from '../../../../../report/browser/trades.js';
import { closeupData } from '../../../../../report/closeup.js';
import { priceDigits } from '../../../../../report/format.js';
import { tradeColumns } from '../../../../../report/trades.js';
import { randomSheet } from '../../../../support/report.js';

const sheet = randomSheet({ tradeCount: 40 });
const trades = new Trades({ columns: tradeColumns(sheet), digits: priceDigits(sheet.bars.close[0]) });
const candles = new Candles(closeupData(sheet));

test('keys are ordered either way, equal ones keep their order, null comes last', () => {
  assert.deepEqual(sortedIndices([3, null, 1, 3, 2], false), [2, 4, 0, 3, 1]);
  assert.deepEqual(sortedIndices([3, null, 1, 3, 2], true), [0, 3, 4, 2, 1]);
  assert.deepEqual(sortedIndices(['b', 'a', null, 'b'], true), [0, 3, 1, 2]);
  assert.deepEqual(sortedIndices([], false), []);
});

test('a candle matches its bar within a step of its block, and knows its time across a hole', () => {
  assert.equal(candles.count, sheet.bars.time.length);
  for (let i = 0; i < candles.count; i++) {
    assert.equal(candles.seconds(i), sheet.bars.time[i] / 1000);
    const block = 32 * Math.floor(i / 32);
    const highest = Math.max(...sheet.bars.high.subarray(block, block + 32));
    const lowest = Math.min(...sheet.bars.low.subarray(block, block + 32));
    const step = (highest - lowest) / 255;
    for (const part of ['open', 'high', 'low', 'close'] as const) {
      const off = Math.abs(candles.price(i, part) - sheet.bars[part][i]);
      assert.ok(off <= step, `${part} of bar ${i} is off by ${off}, a step is ${step}`);
    }
  }
});

test('joined candles keep the first open, the last close and both extremes', () => {
  const [whole] = candles.joined(10, 29, 20);
  const single = candles.joined(10, 29, 1);
  assert.equal(single.length, 20);
  assert.deepEqual(whole, {
    open: single[0].open,
    high: Math.max(...single.map(({ high }) => high)),
    low: Math.min(...single.map(({ low }) => low)),
    close: single[19].close,
  });
  assert.equal(candles.joined(0, 10, 4).length, 3, 'the last one has fewer');
});

const tradeAt = (trade: number) => {
  const [entry, exit] = candles.ofTrade(trade);
  const number = (key: Parameters<Trades['number']>[1]) => trades.number(trade, key);
  return {
    ...{ entry, exit, entryPrice: number('entry_price'), exitPrice: number('exit_price') },
    ...{ stop: number('stop_price'), target: number('target_price'), between: [] },
  };
};

test('the close-up contains the trade and its fills at any zoom and width', () => {
  for (let trade = 0; trade < trades.count; trade++) {
    for (const zoom of [0.25, 1, 64]) {
      for (const width of [0, 320, 1200]) {
        const asked = tradeAt(trade);
        const { from, join, low, high, candles: shown } = closeupView(candles, asked, zoom, width);
        assert.ok(from <= asked.entry && from + shown.length * join > asked.exit, `trade ${trade}, zoom ${zoom}`);
        assert.ok(
          low < Math.min(asked.entryPrice, asked.exitPrice) && high > Math.max(asked.entryPrice, asked.exitPrice),
        );
        assert.ok(shown.length <= Math.max(41, width / 4.5 + 1), `${shown.length} candles on ${width} px`);
      }
    }
  }
});
