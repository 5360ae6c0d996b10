import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import {
  ADMITTED,
  atrSource,
  effectiveAtr,
  longGate,
  openLongAccount,
  proposeLong,
  resolveConfig,
  simulate,
  volatilityScale,
} from '../../engine/execution/index.js';
import { computeMetrics, withAliases } from '../../engine/metrics/index.js';
import { bucketStart, DAY_MS, firstBarFrom, getBit, parseInterval, sliceBars } from '../../engine/series/index.js';
import { signals } from '../../engine/signals/index.js';
import { evaluateRules, neededHistoryMs, parseStrategy, planStrategy } from '../../engine/strategy/index.js';

import { prepareRun } from '../../research/backtest/prepare-run.js';
import { type Api, grpcApi } from '../support/api.js';
import { bundledStore } from '../support/backtests.js';
import { randomParams } from '../support/params.js';
import { seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';
import { startTestService, type TestService } from '../support/service.js';

/**
 * Random strategies through the whole service: stored, read, backtested and evaluated, each time
 * beside the engine alone.
 */

let service: TestService;
let api: Api;

before(async () => {
  const tiers = [
    {
      id: 'large',
      name: 'Large',
      strategiesMax: null,
      monthlyMax: { backtests: null, api_calls: null },
      backtestsPerSweepMax: null,
      concurrentSweepsMax: null,
    },
  ];
  service = await startTestService({ BARLINE_RULE_COMPOSITION: 'relaxed', BARLINE_TIERS: JSON.stringify(tiers) });
  api = grpcApi(service.client, (await service.login()).token);
});

after(() => service.stop());

const pick = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)]!;
const timeframes = ['1h', '4h', '1D'] as const;
/** Chain signals need columns that the bundled bars lack, and so do some formulas. */
const priced = signals.filter(({ observes, sources }) => observes === undefined && sources === undefined);

function randomStrategy(seed: number) {
  const random = seededRandom(seed);
  const timeframe = pick(timeframes, random);
  const rule = (signal_type: 'TRIGGER' | 'FILTER') => {
    const signal = pick(priced, random);
    return { name: signal.name, signal_type, timeframe, params: randomParams(signal, random) };
  };
  return {
    name: `random ${seed}`,
    asset: pick(['BTC', 'ETH-USD'], random),
    entry: [rule('TRIGGER'), ...(random() < 0.3 ? [rule('FILTER')] : [])],
    exit: random() < 0.5 ? [] : [rule('TRIGGER')],
    reward_factor: 0.5 + 3 * random(),
    execution_config: {
      initial_balance: 100 + Math.floor(random() * 100_000),
      max_risk_per_trade: 0.001 + 0.05 * random(),
      max_open_positions: 1 + Math.floor(random() * 3),
      stop_loss_calculation: pick(['dynamic_atr', 'fixed'], random),
    },
  };
}

type Definition = ReturnType<typeof randomStrategy>;

/**
 * Bars of the window, or all of them, with masks and configuration, by the engine's own functions.
 */
async function prepared(definition: Definition, window: { start?: string; end?: string }) {
  const strategy = parseStrategy(definition, 'relaxed');
  const interval = definition.entry[0]!.timeframe;
  const asset = definition.asset.split('-')[0]!;
  const { bars, first } = await prepareRun({ strategy: definition, asset, interval, window }, strategy, {
    store: bundledStore,
  });
  const { entry, exit } = evaluateRules(planStrategy(strategy, bars.intervalMs), bars);
  const { config } = resolveConfig({
    request: definition.execution_config,
    strategyRewardFactor: strategy.rewardFactor,
    interval: parseInterval(interval),
  });
  return { bars, first, entry, exit, config };
}

test('random strategies are stored, backtested and evaluated as the engine alone would', async (t) => {
  const count = runs(5, 1_000);
  let traded = 0;
  let entered = 0;
  for (let seed = 1; seed <= count; seed++) {
    const definition = randomStrategy(seed);
    const { body: created, message } = await api.call('Strategies.Create', definition);
    assert.equal(message, null, `seed ${seed}`);
    const { id: strategy_id } = created.strategy;
    const { body: read } = await api.call('Strategies.Get', { strategy_id });
    assert.deepEqual(read.strategy, created.strategy);
    assert.deepEqual(read.strategy.rules.entry, definition.entry);
    assert.deepEqual(read.strategy.rules.exit, definition.exit);
    if (await backtestAgrees(strategy_id, definition, `seed ${seed}`)) traded++;
    if (await evaluationAgrees(strategy_id, definition, `seed ${seed}`)) entered++;
  }
  t.diagnostic(`${traded} of ${count} traded, ${entered} enter at the end of the data`);
  assert.ok(traded > count / 4 && entered > 0, 'some strategies trade and some enter at the end');
});

/** @returns whether the run had a trade */
async function backtestAgrees(strategy_id: string, definition: Definition, seed: string): Promise<boolean> {
  const interval = definition.entry[0]!.timeframe;
  const window = { start: '2022-03-01', end: '2023-02-15' };
  const { body, message } = await api.call('Backtests.Run', {
    strategy_id,
    interval,
    start_date: window.start,
    end_date: window.end,
  });
  assert.equal(message, null, seed);
  const { bars, first, entry, exit, config } = await prepared(definition, window);
  const simulation = simulate({ bars, first, entry, exit, config });
  const { benchmark_btc_return, ...metrics } = body.metrics;
  assert.ok(Number.isFinite(benchmark_btc_return), seed);
  assert.deepEqual(metrics, withAliases(computeMetrics({ ...simulation, bars, first, config })), seed);
  assert.equal(body.trade_count, simulation.trades.length, seed);
  assert.deepEqual(
    body.trade_history.map((trade: Record<string, unknown>) => [
      trade.entry_price,
      trade.exit_price,
      trade.profit_loss,
    ]),
    simulation.trades.map((trade) => [trade.entryPrice, trade.exitPrice, trade.profitLoss]),
    seed,
  );
  return simulation.trades.length > 0;
}

/** @returns whether the strategy enters at the end of the data */
async function evaluationAgrees(strategy_id: string, definition: Definition, seed: string): Promise<boolean> {
  const { body, message } = await api.call('Execution.Evaluate', { strategy_id, persist: false });
  assert.equal(message, null, seed);
  const { bars: all, config } = await prepared(definition, {});
  const time = all.time[all.barCount - 1]! + all.intervalMs;
  // The service reads only the history that the rules need, in whole days; values with a long
  // memory change with it.
  const plan = planStrategy(parseStrategy(definition, 'relaxed'), all.intervalMs);
  const start = bucketStart(Math.max(0, time - neededHistoryMs(plan, config)), DAY_MS);
  const bars = sliceBars(all, firstBarFrom(all, start), all.barCount);
  const { entry, exit } = evaluateRules(plan, bars);
  const last = bars.barCount - 1;
  const account = openLongAccount(config);
  const isAdmitted =
    getBit(entry, last) &&
    longGate(account, last + 1, time, body.current_price, getBit(exit, last), config) === ADMITTED;
  const isAtr = config.stop_loss_calculation === 'dynamic_atr';
  const atr = isAdmitted && isAtr ? effectiveAtr(atrSource(bars, config), last, config) : NaN;
  const scale = isAdmitted ? volatilityScale(bars, last, config) : NaN;
  const expected = isAdmitted ? proposeLong(account, last + 1, body.current_price, atr, scale, config) : null;
  const isEntering = expected !== null && typeof expected === 'object';
  const [order] = body.new_orders;
  assert.equal(order !== undefined, isEntering, `${seed}: ${JSON.stringify(body.new_orders)}`);
  if (!isEntering) return false;
  assert.deepEqual([order.side, order.order_type, order.status], ['enter_long', 'market', 'filled'], seed);
  assert.deepEqual(
    [order.price, order.position_size, order.stop_loss_price],
    [expected.entryPrice, expected.size, expected.stopPrice],
    seed,
  );
  return true;
}
