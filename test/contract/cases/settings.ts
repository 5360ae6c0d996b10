import assert from 'node:assert/strict';
import { publishedDefaults } from '../../../engine/execution/index.js';
import type { UnaryName } from '../../../rpc/index.js';
import type { Answer, Api } from '../../support/api.js';
import { contract } from '../../support/contract.js';

/** How execution settings are handled, wherever a caller writes them. */

const daily = (name: string, signal_type: string, params: object) => ({ name, signal_type, timeframe: '1D', params });
const entry = [
  daily('rsi_oversold', 'TRIGGER', { window: 7, threshold: 45 }),
  daily('is_above_sma', 'FILTER', { window: 5 }),
];
const definition = { name: 'Dip', asset: 'BTC', entry };
/** Both hold on the last bundled bar of BTC, so an evaluation buys. */
const buying = {
  name: 'Buys',
  asset: 'BTC',
  entry: [
    { name: 'roc_negative', signal_type: 'TRIGGER', timeframe: '1h', params: {} },
    { name: 'stc_oversold', signal_type: 'FILTER', timeframe: '1h', params: {} },
  ],
};
const fixedStop = { stop_loss_calculation: 'fixed', fixed_stop_pct: 0.05, slippage_pct: 0, fee_pct: 0 };
const year = { start_date: '2023-01-01', end_date: '2023-12-31' };
const window = { interval: '1d', ...year };

const ok = ({ body, message }: Answer) => {
  assert.equal(message, null);
  return body;
};
const create = async (api: Api, changes: object) =>
  ok(await api.call('Strategies.Create', { ...definition, ...changes }));

/** Warnings about the settings, without those about rules. */
const ofSettings = (warnings: readonly string[]) => warnings.filter((warning) => !warning.includes(' used as TRIGGER'));

/** Runs a saved strategy over a year and returns the settings that it ran with. */
async function settingsOfRun(api: Api, strategy_id: string, request: object = {}) {
  const { backtest_id, warnings } = ok(await api.call('Backtests.Run', { ...window, strategy_id, ...request }));
  const { config } = ok(await api.call('Backtests.Get', { id: backtest_id }));
  return { config, warnings: ofSettings(warnings) };
}

/** The distance of an entry's target, in distances of its stop. */
async function evaluatedReward(api: Api, method: UnaryName, request: object): Promise<number> {
  const [bought] = ok(await api.call(method, request)).new_orders;
  const { price, stop_loss_price: stop, take_profit_price: target } = bought;
  return (target - price) / (price - stop);
}

contract('a reward factor among the settings of a stored strategy takes effect', async ({ api }) => {
  const { strategy } = await create(api, { ...buying, execution_config: { ...fixedStop, reward_factor: 3 } });
  assert.deepEqual([strategy.rules.reward_factor, strategy.execution_config.reward_factor], [3, 3]);
  const { id: strategy_id } = strategy;
  const dry = { strategy_id, persist: false };
  assert.ok(Math.abs((await evaluatedReward(api, 'Execution.Evaluate', dry)) - 3) < 1e-9);
  assert.equal((await settingsOfRun(api, strategy_id)).config.reward_factor, 3);
  assert.equal(
    (await settingsOfRun(api, strategy_id, { reward_factor: 7 })).config.reward_factor,
    7,
    'the request wins',
  );
  const change = async (fields: object) =>
    ok(await api.call('Strategies.Update', { strategy_id, ...fields })).strategy.rules.reward_factor;
  assert.equal(await change({ execution_config: { reward_factor: 4 } }), 4);
  assert.ok(Math.abs((await evaluatedReward(api, 'Execution.Evaluate', dry)) - 4) < 1e-9);
  assert.equal((await settingsOfRun(api, strategy_id)).config.reward_factor, 4);
  assert.equal(await change({ description: 'says nothing of it' }), 4);
});

const tiersOf = (config: Record<string, number>) => [
  config.cooldown_short_loss_limit,
  config.cooldown_short_window_bars,
  config.cooldown_long_loss_limit,
  config.cooldown_long_window_bars,
];
const published = [4, 20, 6, 60];

contract('legacy cooldown keys of a stored strategy act as in a request, and cause a warning', async ({ api }) => {
  const legacy = { cooldown_bars: 9, daily_momentum_limit: 2 };
  const { strategy, warnings } = await create(api, { execution_config: legacy });
  assert.deepEqual(warnings, [
    'cooldown_bars and daily_momentum_limit are deprecated but apply: execution_config has no cooldown_config',
  ]);
  const { id: strategy_id } = strategy;
  const stored = await settingsOfRun(api, strategy_id);
  const { strategy: bare } = await create(api, {});
  const asked = await settingsOfRun(api, bare.id, { execution_config: legacy });
  assert.deepEqual(tiersOf(stored.config), [2, 9, 3, 9]);
  assert.deepEqual(tiersOf(stored.config), tiersOf(asked.config));
  const said = 'cooldown_bars and daily_momentum_limit are deprecated but apply: cooldown_config has no 1d entry';
  assert.deepEqual([stored.warnings, asked.warnings], [[said], [said]]);
  const evaluated = ok(await api.call('Execution.Evaluate', { strategy_id, persist: false }));
  assert.deepEqual(ofSettings(evaluated.warnings), [said]);

  const cooldown_config = { '1d': publishedDefaults.cooldown_config?.['1d'] };
  const back = ok(await api.call('Strategies.Update', { strategy_id, execution_config: { cooldown_config } }));
  assert.deepEqual(back.warnings, []);
  assert.deepEqual(tiersOf((await settingsOfRun(api, strategy_id)).config), published);
  const again = ok(await api.call('Strategies.Update', { strategy_id, execution_config: { cooldown_bars: 8 } }));
  assert.deepEqual(again.warnings, [
    'cooldown_bars is deprecated but applies: execution_config has no cooldown_config',
  ]);
  assert.deepEqual(tiersOf((await settingsOfRun(api, strategy_id)).config), [2, 8, 3, 8], 'the other key is kept');
});

contract('a strategy whose asset has no bars is stored with a warning', async ({ api }) => {
  const { strategy, warnings } = await create(api, { asset: 'NOPE' });
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /^no bars of NOPE.*; the strategy cannot run until there are$/);
  const update = async (asset: string) =>
    ok(await api.call('Strategies.Update', { strategy_id: strategy.id, asset })).warnings;
  assert.deepEqual(await update('BTC-USD'), []);
  assert.equal((await update('NADA')).length, 1);
});
