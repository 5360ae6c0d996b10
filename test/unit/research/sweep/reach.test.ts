import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { assessSweep, runSweep } from '../../../../research/sweep/index.js';
import { sweepRequest } from '../../../support/sweep-setup.js';
import { crossSweep, filter, trigger } from '../../../support/sweeps.js';
import { sweepsIn } from './swept-rows.js';

const { home, services, sweepRows } = sweepsIn('sweep-reach');

const datasets = [{ asset: 'ETH', timeframe: '1d' }];
const up = (more: object = {}) => trigger('sma_cross_up', { window_fast: { values: [5, 10] } }, { params: { window_slow: 30 }, ...more }); // biome-ignore format: one line
const down = trigger('sma_cross_down', {}, { params: { window_fast: 7, window_slow: 25 } });
const above = (more: object = {}) => filter('is_above_sma', { window: { values: [20, 50] } }, more);
const plain = crossSweep({
  datasets,
  entry_signals: { triggers: [up()] },
  exit_signals: { triggers: [down] },
  execution_config: {},
});

const choice = {
  ...plain,
  entry_signals: {
    any: [
      { triggers: [up()], filters: [above({ asset: 'BTC', negate: true })] },
      { triggers: [trigger('rsi_oversold', { threshold: { values: [25, 35] } }, { params: { window: 14 } })] },
    ],
  },
  exit_signals: { any: [{ triggers: [down] }, { triggers: [trigger('rsi_overbought', {}, { params: { window: 14, threshold: 80 } })] }] }, // biome-ignore format: one line
};

test('what a sweep cannot read is refused with its place and the remedy, before any bar is read', async () => {
  const load = () => assert.fail('a bar was read');
  const unread = { ...services, store: { ...services.store, load } };
  const refuses = (more: object, message: RegExp) =>
    assert.rejects(
      runSweep(sweepRequest({ ...plain, ...more } as Record<string, unknown>, join(home, 'refused')), unread),
      message,
    );
  const entry = (more: object) => ({ entry_signals: { triggers: [up()], filters: [above(more)] } });
  await refuses(entry({ asset: 'NOPE' }), /^EngineError: entry_signals\.filters\[0\]\.asset: .*NOPE.*; import them with: barline data import FILE --asset NOPE --interval 1d$/); // biome-ignore format: one line
  await refuses(entry({ negate: 1 }), /entry_signals\.filters\[0\]\.negate must be true or false, was 1/);
  await refuses(
    entry({ within_bars: 501 }),
    /entry_signals\.filters\[0\]\.within_bars must be a whole number 1\.\.500, was 501/,
  );
  const settings = (config: object) => ({ execution_config: config });
  await refuses(settings({ base: { detail_interval: '5m' } }), /detail_interval: .*5m/);
  await refuses(
    settings({ base: { detail_interval: '7h' } }),
    /detail_interval must be finer than the run interval 1d and divide it, was "7h"/,
  );
  await refuses(
    settings({ sweep_axes: [{ param: 'reward_factor', values: [null] }] }),
    /reward_factor must be a number/,
  );
  await refuses(settings({ sweep_axes: [{ param: 'scale_out', values: [[1, 2]] }] }), /scale_out\[0\] must be a pair/);
  const order = { entry_order: 'limit', entry_offset_pct: 0.01 };
  await refuses(
    settings({ base: { ...order, entry_order: 'market' }, sweep_axes: [{ param: 'entry_order', values: ['market', 'limit'] }, { param: 'entry_offset_pct', values: [0.01, null] }] }), // biome-ignore format: one line
    /entry_offset_pct must be a number >= 0 and < 1 with entry_order limit/,
  );
  await refuses({ exit_signals: { any: [{ triggers: [down] }, {}] } }, /exit_signals\.any\[1\]\.triggers must have at least 1 TRIGGER/); // biome-ignore format: one line
  await refuses({ entry_signals: { any: [] } }, /entry_signals\.any must be 1 to 8 objects/);
  await refuses({ entry_signals: { any: [{ triggers: [up()] }], filters: [] } }, /unknown key "filters" in entry_signals|"filters"/); // biome-ignore format: one line
  await refuses({ ...choice, sieve: { order: true } }, /sieve has not learned from any/);
  await refuses({ ...entry({ negate: true }), sieve: { order: true } }, /sieve has not learned from negate/);
});

test('the leader of a sweep is warned of as its backtest is', async () => {
  const { folder, outcome } = await sweepRows('warned', {
    ...plain,
    short_entry_signals: { triggers: [down] },
    execution_config: { base: { entry_order: 'limit', entry_offset_pct: 0.05, trailing_start: 1 } },
  });
  const [one] = await assessSweep(outcome.prepared, folder, 'sharpe_ratio', { minTrades: 0 });
  const warned = one?.warnings.map((warning) => /ETH 1d, run \d+: ([a-z-]+): /.exec(warning)?.[1]) ?? [];
  for (const name of ['short-without-borrow-cost', 'orders-expired', 'settings-without-effect', 'adverse-selection']) {
    assert.ok(warned.includes(name), `${name} among ${warned}`);
  }
});
