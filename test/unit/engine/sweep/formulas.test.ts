import assert from 'node:assert/strict';
import test from 'node:test';
import { planSweep, readSweep, SweepKernel } from '../../../../engine/sweep/index.js';
import { randomBars } from '../../../support/random.js';
import { crossSweep, filter, findDataset, runIn, sha256, trigger } from '../../../support/sweeps.js';

const bars = randomBars({ seed: 8, barCount: 3_000, volatility: 0.01 });

/** The metrics of every run, with the parameters of its entry rules. */
function rowsOf(entry_signals: object) {
  const { definition, errors } = readSweep(
    crossSweep({ datasets: [{ asset: 'BTC', timeframe: '1h' }], entry_signals }),
    findDataset,
  );
  assert.deepEqual(errors, []);
  const plan = planSweep(definition!, { sha256, runsMax: 1_000 });
  const kernel = new SweepKernel(definition!, bars, 100, 1_000_000);
  const rows = Array.from({ length: plan.totalRuns }, (_, i) => {
    const run = plan.run(i);
    const [first, second] = run.entry.map(({ space, combination }) => space.params(combination));
    return { key: [first, second], metrics: runIn(kernel, run).metrics };
  });
  kernel.release();
  return rows;
}

const windows = { fast: { values: [5, 10, 20] }, slow: { values: [30, 60] } };

test('parameters of formulas are swept like those of the signals that they spell out', () => {
  const signals = rowsOf({
    triggers: [trigger('sma_cross_up', { window_fast: windows.fast, window_slow: windows.slow })],
    filters: [filter('is_above_sma', { window: { values: [50, 100] } })],
  });
  const when = 'crosses_above(sma(close, fast), sma(close, slow))';
  const formulas = rowsOf({
    triggers: [trigger('formula', windows, { params: { when } })],
    filters: [filter('formula', { window: { values: [50, 100] } }, { params: { when: 'close > sma(close, window)' } })],
  });
  assert.equal(formulas.length, 24);
  assert.deepEqual(
    formulas.map(({ metrics }) => metrics),
    signals.map(({ metrics }) => metrics),
  );
  assert.ok(formulas.some(({ metrics }) => Number(metrics.total_trades) > 0));
});
