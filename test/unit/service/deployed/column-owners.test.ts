import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { openBars } from '../../../../data/bars/index.js';
import { openStoredMarketData } from '../../../../data/providers/index.js';
import { DAY_MS, isoTime, sharedColumns } from '../../../../engine/series/index.js';
import { runBacktest } from '../../../../research/backtest/run-backtest.js';
import { loadDatasets } from '../../../../research/sweep/datasets.js';
import { storedBarLoader } from '../../../../research/window-bars.js';
import { evaluateMultipleSeries, evaluateSuppliedBars } from '../../../../service/signals/index.js';
import { oneStrategy, wholeReplay } from '../../../support/deployed.js';
import { runs } from '../../../support/scale.js';
import { root } from '../../../support/tree.js';

interface Memory {
  readonly buffer: SharedArrayBuffer;
}
type MakeMemory = new (descriptor: object) => Memory;
const { WebAssembly } = globalThis as unknown as { WebAssembly: { Memory: MakeMemory } };

/** Every memory of kernels that this thread makes from now on. */
const memories: Memory[] = [];
WebAssembly.Memory = class extends WebAssembly.Memory {
  constructor(descriptor: object) {
    super(descriptor);
    memories.push(this);
  }
};
const bytes = () => memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);

const market = openStoredMarketData(
  openBars({ home: join(root, 'no-such-home'), sampleDir: join(root, 'sample'), allocate: sharedColumns }),
);

/** Runs every part of a service that reads bars, over a window that no other call has. */
async function useAll(i: number): Promise<void> {
  const start = isoTime(Date.UTC(2023, 0, 10) + i * DAY_MS);
  const end = isoTime(Date.UTC(2023, 11, 29) - i * DAY_MS);
  const strategy = {
    name: 'Windows',
    entry: [
      { name: 'ema_cross_up', signal_type: 'TRIGGER', timeframe: '15m', params: {} },
      { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '30m', params: { window: 50 } },
    ],
    exit: [],
  };
  const request = { strategy, asset: 'BTC', interval: '15m', window: { start, end } };
  await runBacktest(request, { store: market, engineVersion: 'test' });
  const signals = [{ name: 'rsi_oversold', timeframe: '15m' }];
  const asked = { symbol: 'BTC', chart_timeframe: '15m', start_date: start, end_date: end, signals };
  await evaluateMultipleSeries(asked, storedBarLoader(market));
  await loadDatasets({ datasets: [{ asset: 'BTC', timeframe: '15m' }] }, market);
  const market_data = Array.from({ length: 50 }, (_, k) => ({ close: 100 + ((i * k) % 7) }));
  evaluateSuppliedBars({ signal_name: 'rsi_oversold', market_data });
}

test('a thread makes one memory for kernels, for any number of windows', async () => {
  await useAll(0);
  assert.equal(memories.length, 1);
  const atFirst = bytes(); // the first window is the longest
  for (let i = 1; i <= runs(6, 20); i++) await useAll(i);
  assert.equal(memories.length, 1);
  assert.equal(bytes(), atFirst);
});

test('a deployed strategy steps through bars without taking memory for them', async () => {
  const before = bytes();
  const [deployed] = oneStrategy().strategies.values();
  const { equity } = await wholeReplay(deployed!, market, { msPerHour: 1, days: 100 });
  assert.equal(equity.length, 2_400);
  assert.equal(memories.length, 1);
  assert.equal(bytes(), before);
});
