import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publishedDefaults } from '../../../engine/execution/index.js';
import { signals } from '../../../engine/signals/index.js';
import type { UnaryName } from '../../../rpc/index.js';
import { batchDefaults, executionDefaults, tradingDefaults } from '../../../service/config/index.js';
import { type Answer, type Api, grpcApi, restApi } from '../../support/api.js';
import { contract, sharedService } from '../../support/contract.js';

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

contract('datasets are the held files, sorted, each with its identity', async ({ api }) => {
  const { body } = await api.call('Catalogue.ListDatasets');
  assert.deepEqual(
    body.datasets.map(({ asset, timeframe }: Record<string, string>) => `${asset} ${timeframe}`),
    ['BNB 1d', 'BTC 1d', 'BTC 1h', 'BTC 5m', 'ETH 1d', 'ETH 1h', 'SOL 1d', 'XRP 1d'],
  );
  const [daily] = body.datasets;
  assert.deepEqual([daily.rows, daily.start_date, daily.end_date], [1825, '2020-09-20', '2025-09-18']);
  for (const { file, hash } of body.datasets) {
    assert.match(hash, /^sha256:[0-9a-f]{64}$/);
    assert.match(file, /\.parquet$/);
  }
  assert.equal(new Set(body.datasets.map(({ file }: { file: string }) => file)).size, body.datasets.length);
});

contract('signals are listed with bounds and constraints, by type and words', async ({ api }) => {
  const { body } = await api.call('Catalogue.ListSignals', { search: 'macd bullish', type: 'TRIGGER' });
  const cross = body.signals.find(({ name }: { name: string }) => name === 'macd_bullish_cross');
  assert.deepEqual(cross.constraints, [['window_fast', '<', 'window_slow']]);
  const { type, min, max, default: otherwise, optional } = cross.params.window_fast;
  assert.deepEqual([type, min, max, otherwise, optional], ['int', 2, 50, 12, true]);
  assert.ok(body.signals.every((signal: Record<string, unknown>) => signal.type === 'TRIGGER'));
  const { body: averages } = await api.call('Catalogue.ListSignals', { search: 'moving average' });
  assert.ok(averages.signals.some(({ name }: { name: string }) => name === 'is_above_sma'));
  const { body: all } = await api.call('Catalogue.ListSignals', { search: ' ' });
  assert.equal(all.signals.length, signals.length);
  const required = all.signals.find(({ name }: { name: string }) => name === 'column_above').params.column;
  assert.deepEqual([required.default, required.optional], [null, false]);
  assert.deepEqual((await api.call('Catalogue.ListSignals', { search: 'nothing has this' })).body.signals, []);
});

test('documents of defaults stand alone in their answer, and those of the config need no credential', async () => {
  const { client, origin, login } = await sharedService();
  const { token } = await login();
  for (const [method, expected, by] of [
    ['Catalogue.GetExecutionDefaults', batchDefaults(), token],
    ['Config.GetTradingDefaults', tradingDefaults(), null],
    ['Config.GetExecutionDefaults', executionDefaults(), null],
  ] as const) {
    assert.deepEqual((await grpcApi(client, by).call(method)).body.defaults, expected);
    assert.deepEqual((await restApi(origin, by).call(method)).body, expected);
  }
});
