import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { resolveConfig, simulate } from '../../engine/execution/index.js';
import { computeMetrics, withAliases } from '../../engine/metrics/index.js';
import { signals } from '../../engine/signals/index.js';
import { evaluateRules, parseStrategy, planStrategy } from '../../engine/strategy/index.js';
import { prepareRun } from '../../research/backtest/prepare-run.js';
import { runBulkBacktest, runSynchronousBacktest } from '../../service/backtests/index.js';
import { openBacktestPool } from '../../workers/index.js';
import { backtestDeps } from '../support/backtest-deps.js';
import { bundledStore, callerOf } from '../support/backtests.js';
import { randomParams } from '../support/params.js';
import { seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';

const caller = callerOf('ann');
const pool = openBacktestPool({ threads: 1 });
after(() => pool.close());

const pick = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)]!;

function randomRule(signal_type: 'TRIGGER' | 'FILTER', interval: string, random: () => number) {
  const signal = pick(signals, random);
  const timeframe = random() < 0.8 ? interval : '1d';
  return { name: signal.name, signal_type, timeframe, params: randomParams(signal, random) };
}

function randomRequest(seed: number) {
  const random = seededRandom(seed);
  const interval = pick(['1h', '4h', '1d'], random);
  const filters = Array.from({ length: Math.floor(random() * 3) }, () => randomRule('FILTER', interval, random));
  const definition = {
    name: `random ${seed}`,
    entry: [randomRule('TRIGGER', interval, random), ...filters],
    exit: random() < 0.5 ? [] : [randomRule('TRIGGER', interval, random)],
    ...(random() < 0.5 ? { reward_factor: 0.5 + 3 * random() } : {}),
  };
  const year = 2021 + Math.floor(random() * 3);
  return {
    definition,
    asset: pick(['BTC', 'ETH'], random),
    interval,
    start_date: `${year}-0${1 + Math.floor(random() * 9)}-01`,
    end_date: `${year + 1}-02-15`,
    initial_balance: 100 + Math.floor(random() * 100_000),
    execution_config: { fee_pct: 0.002 * random(), max_open_positions: 1 + Math.floor(random() * 3) },
  };
}

/** The engine called directly over bars from the store, with no service between. */
async function direct({ definition, execution_config, ...request }: ReturnType<typeof randomRequest>) {
  const strategy = parseStrategy(definition, 'relaxed');
  const { bars, first } = await prepareRun(
    {
      strategy: definition,
      asset: request.asset,
      interval: request.interval,
      window: { start: request.start_date, end: request.end_date },
    },
    strategy,
    { store: bundledStore },
  );
  const plan = planStrategy({ ...strategy, asset: request.asset }, bars.intervalMs, Object.keys(bars.columns));
  const { config } = resolveConfig({
    request: { ...execution_config, initial_balance: request.initial_balance },
    strategyRewardFactor: strategy.rewardFactor,
    interval: bars.intervalMs,
  });
  const { entry, exit } = evaluateRules(plan, bars);
  const simulation = simulate({ bars, first, entry, exit, config });
  return {
    metrics: withAliases(computeMetrics({ ...simulation, bars, first, config })),
    trades: simulation.trades,
    plan,
  };
}

test('random strategies give the same results through the service as through the engine, alone and in a batch', async (t) => {
  let traded = 0;
  let denied = 0;
  const count = runs(8, 1_000);
  for (let seed = 1; seed <= count; seed++) {
    const request = randomRequest(seed);
    const { definition, ...body } = request;
    const deps = await backtestDeps({ engine: pool });
    const alone = await runSynchronousBacktest(caller, { ...body, strategy_json: JSON.stringify(definition) }, deps, {
      filling: 'filled',
    });
    const expected = await direct(request);
    const { benchmark_btc_return, ...metrics } = alone.metrics;
    assert.deepEqual(metrics, expected.metrics, `seed ${seed}`);
    assert.deepEqual(
      alone.trade_history.map((trade) => [trade.entry_price, trade.exit_price, trade.position_size, trade.profit_loss]),
      expected.trades.map((trade) => [trade.entryPrice, trade.exitPrice, trade.size, trade.profitLoss]),
      `seed ${seed}`,
    );
    assert.deepEqual(alone.denied_signals, expected.plan.denied);
    assert.ok(benchmark_btc_return !== null && Number.isFinite(benchmark_btc_return));
    const { asset: _, ...shared } = body;
    const item = { ...definition, asset: body.asset };
    const bulk = await runBulkBacktest(caller, { ...shared, strategy_configs: [item] }, deps, { filling: 'filled' });
    assert.deepEqual(bulk.results[0]!.metrics, alone.metrics, `seed ${seed}`);
    assert.deepEqual(deps.internalErrors, []);
    if (alone.trade_count > 0) traded++;
    if (alone.denied_signals.length > 0) denied++;
  }
  t.diagnostic(`${traded} of ${count} traded, ${denied} had refused rules`);
  assert.ok(traded > count / 4 && denied > 0, 'some strategies trade and some have refused rules');
});
