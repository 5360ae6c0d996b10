import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHoldouts } from '../../../../data/tries/index.js';
import { overWindow } from '../../../../research/sweep/index.js';
import { crossSweep, filter, trigger } from '../../../support/sweeps.js';
import { sweepsIn } from './swept-rows.js';

const { home, sweepRows, requireAlone } = sweepsIn('sweep-window');

/** Recursive averages, so that every bar of history counts; settings and a rule of days need more of it. */
const plan = (more: object) =>
  crossSweep({
    datasets: [{ asset: 'ETH', timeframe: '4h' }],
    entry_signals: {
      triggers: [trigger('ema_cross_up', { window_fast: { values: [5, 9] } }, { params: { window_slow: 21 } })],
      filters: [
        filter('is_above_dema', { window: { values: [10, 80] } }),
        filter('is_above_dema', { window: { values: [15] } }, { timeframe: '1d' }),
        filter('is_above_dema', { window: { values: [30] } }, { asset: 'BTC' }),
      ],
    },
    execution_config: { base: { fee_pct: 0.001 }, sweep_axes: [{ param: 'atr_period', values: [7, 28] }] },
    ...more,
  });

const windows = {
  'a window of the plan': {
    plan: plan({ window: { start: '2023-02-03', end: '2023-09-30' } }),
    window: { start: '2023-02-03', end: '2023-09-30' },
    dates: ['2023-02-03', '2023-09-30'],
  },
  'months before an end, from the command line': {
    plan: overWindow(plan({ window: { start: '2020-02-03' } }), { end: '2024-03-31', lookbackMonths: 7 }) as object,
    window: { end: '2024-03-31', lookbackMonths: 7 },
    dates: ['2023-09-01', '2024-03-31'],
  },
};

for (const [name, { plan, window, dates }] of Object.entries(windows)) {
  test(`${name}: each row is the backtest of its configuration over it, in every bit`, async () => {
    const { outcome, records } = await sweepRows(name.replaceAll(/\W/g, '-'), plan);
    assert.equal(records.length, 16);
    let traded = 0;
    for (const record of records) {
      assert.deepEqual([record.start_date, record.end_date].map(String), dates);
      await requireAlone(record, outcome, window);
      if (Number(record.total_trades) > 0) traded++;
    }
    assert.ok(traded > 8);
  });
}

test('days are held out at the end of the window, whatever the data hold after it', async () => {
  const heldOut = openHoldouts(home);
  const sweep = plan({ window: { start: '2022-01-01', end: '2022-12-31' }, holdout: 30 });
  const { records } = await sweepRows('held', sweep, { heldOut });
  assert.deepEqual(new Set(records.map(({ end_date }) => String(end_date))), new Set(['2022-12-01']));
  const [days] = await heldOut.of('ETH');
  assert.deepEqual([days?.from, days?.to], ['2022-12-02', '2022-12-31']);
  // A window after them touches none of them, even where they are its history.
  const after = await sweepRows('after', plan({ window: { start: '2023-01-01', end: '2023-06-30' } }), { heldOut });
  assert.equal(after.records.length, 16);
  await assert.rejects(sweepRows('over', plan({ window: { start: '2022-06-01' } }), { heldOut }), /holdout must be 30/);
});

test('a window that is empty, reversed, outside the data or no date is an error of its dataset', async () => {
  const cases: [object, RegExp][] = [
    [{ start: '2023-13-01' }, /^datasets\[0\]: window\.start must be a date .*, was "2023-13-01"$/],
    [{ start: '2023-02-01', end: '2023-01-01' }, /start must be before end, was 2023-02-01 against 2023-01-01/],
    [{ start: '2035-01-01' }, /datasets\[0\]: no complete .* bar of ETH lies between 2035-01-01.*the data has/],
    [{ start: '2023-01-01', lookback_months: 3 }, /lookback_months must not be combined with start/],
  ];
  for (const [window, message] of cases) {
    await assert.rejects(sweepRows('refused', plan({ window })), (error: Error) => {
      assert.match(error.message, message);
      return true;
    });
  }
  const twice = ['00:00', '04:00'].map((time) => ({
    ...{ asset: 'ETH', timeframe: '4h' },
    window: { start: `2023-01-01T${time}:00Z`, end: '2023-06-30' },
  }));
  await assert.rejects(sweepRows('refused', plan({ datasets: twice })), /was also 2023-01-01T04:00:00Z to 2023-06-30/);
});
