import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { metricNames } from '../../engine/metrics/index.js';
import { type Signal, signals } from '../../engine/signals/index.js';
import { planSweep, readSweep, SweepKernel } from '../../engine/sweep/index.js';
import { runBacktest } from '../../research/backtest/index.js';
import { prepareRun, requestedStrategy } from '../../research/backtest/prepare-run.js';
import { getBacktest, runBulkBacktest, runSynchronousBacktest } from '../../service/backtests/index.js';
import { openBacktestPool } from '../../workers/index.js';
import { backtestDeps } from '../support/backtest-deps.js';
import { bundledStore, callerOf } from '../support/backtests.js';
import { drawSettings, pick } from '../support/mixed-worlds.js';
import { randomParams } from '../support/params.js';
import { seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';
import { findDataset, runIn, sha256 } from '../support/sweeps.js';

/**
 * Definitions of both sides with rules of every reach and settings of every kind are one run over
 * the service, over the path of the command line, and as the only run of a sweep.
 */

const caller = callerOf('ann');
const pool = openBacktestPool({ threads: 1 });
after(() => pool.close());

const priced = signals.filter((signal: Signal) => signal.observes === undefined && signal.name !== 'formula');
const services = { store: bundledStore, engineVersion: '0.0.0-test' };

function randomRule(signal_type: 'TRIGGER' | 'FILTER', interval: string, random: () => number) {
  const signal = pick(random, priced);
  return {
    ...{ name: signal.name, signal_type, timeframe: random() < 0.85 ? interval : '1d' },
    params: randomParams(signal, random),
    ...(random() < 0.2 && { negate: true }),
    ...(random() < 0.3 && { within_bars: pick(random, [1, 2, 9]) }),
    ...(random() < 0.2 && { asset: pick(random, ['BTC', 'ETH']) }),
  };
}

const groupOf = (interval: string, random: () => number) => [
  randomRule('TRIGGER', interval, random),
  ...Array.from({ length: pick(random, [0, 0, 1]) }, () => randomRule('FILTER', interval, random)),
];

const sideOf = (interval: string, random: () => number) =>
  random() < 0.6
    ? groupOf(interval, random)
    : { any: Array.from({ length: pick(random, [1, 2, 3]) }, () => groupOf(interval, random)) };

type Rules = ReturnType<typeof groupOf>;
type Side = ReturnType<typeof sideOf>;

function randomRequest(seed: number) {
  const random = seededRandom(seed);
  const interval = pick(random, ['4h', '1d']);
  const hasLong = random() < 0.9;
  const long = { entry: sideOf(interval, random), ...(random() < 0.6 && { exit: sideOf(interval, random) }) };
  const hasShort = !hasLong || random() < 0.8;
  const short = {
    ...{ short_entry: sideOf(interval, random) },
    ...(random() < 0.6 && { short_exit: sideOf(interval, random) }),
  };
  const definition = { name: `random ${seed}`, ...(hasLong && long), ...(hasShort && short) };
  const asset = pick(random, ['BTC', 'ETH']);
  const settings = { ...drawSettings(random), ...(random() < 0.1 && { detail_interval: '1h' }) };
  return { definition, asset, interval, settings };
}

/** A side of a definition as a side of a sweep that has this one choice of rules. */
function sweptSide(side: Side | undefined) {
  const groupIn = (rules: Rules) => {
    const of = (role: string) => rules.filter(({ signal_type }) => signal_type === role);
    const filters = of('FILTER');
    return { triggers: of('TRIGGER'), filters, min_filters: filters.length, max_filters: filters.length };
  };
  if (side === undefined) return { triggers: [], filters: [] };
  return Array.isArray(side) ? groupIn(side) : { any: side.any.map(groupIn) };
}

const plain = (value: unknown) => JSON.parse(JSON.stringify(value ?? null)) as unknown;
const withoutIds = (trades: readonly object[]) =>
  trades.map((trade) => ({ ...trade, trade_id: null, position_id: null, strategy: null }));

test('random definitions of both sides give one result over service, command line and sweep', async (t) => {
  const seen = { traded: 0, shorts: 0, margined: 0, parts: 0, orders: 0, swept: 0, choices: 0, refused: 0 };
  const window = { start: '2022-01-01', end: '2023-12-31' };
  for (let seed = 1; seed <= runs(6, 1_000); seed++) {
    const { definition, asset, interval, settings } = randomRequest(seed);
    const deps = await backtestDeps({ engine: pool });
    const around = { asset, interval, start_date: window.start, end_date: window.end, execution_config: settings };
    const sent = { ...around, strategy_json: JSON.stringify(definition) };
    const request = { strategy: definition, asset, interval, window, config: settings };
    const expected = await runBacktest(request, services).catch((error: Error) => error);
    if (expected instanceof Error) {
      seen.refused++;
      const { message } = expected;
      await assert.rejects(runSynchronousBacktest(caller, sent, deps, { filling: 'filled' }), { message });
      continue;
    }
    const { result } = expected;
    const alone = await runSynchronousBacktest(caller, sent, deps, { filling: 'filled' });
    const { benchmark_btc_return: _, ...metrics } = alone.metrics;
    const label = `seed ${seed}`;
    assert.deepEqual(metrics, result.metrics, label);
    assert.deepEqual(withoutIds(alone.trade_history), withoutIds(result.trades), label);
    assert.deepEqual(alone.side_metrics, result.side_metrics, label);
    assert.deepEqual(alone.diagnostics, result.diagnostics, label);
    assert.deepEqual(alone.denied_signals, result.denied_signals, label);
    assert.deepEqual(alone.warnings, result.warnings, label);
    const kept = await getBacktest(caller, alone.backtest_id, deps);
    assert.deepEqual(kept.trade_history, plain(alone.trade_history), label);
    assert.deepEqual(plain(kept.side_metrics), plain(alone.side_metrics), label);
    if (seed % 5 === 0) {
      const item = { ...definition, asset };
      const bulk = await runBulkBacktest(caller, { ...around, strategy_configs: [item] }, deps, { filling: 'filled' });
      assert.deepEqual(bulk.results[0]?.metrics, alone.metrics, label);
    }
    assert.deepEqual(deps.internalErrors, []);

    if (result.denied_signals.length === 0) {
      const prepared = await prepareRun(request, requestedStrategy(request), services);
      const { bars, first, others, detail, config } = prepared;
      const sweep = {
        ...{ name: 'one run', datasets: [{ asset, timeframe: interval }] },
        ...{ entry_signals: sweptSide(definition.entry), exit_signals: sweptSide(definition.exit) },
        ...(definition.short_entry && {
          ...{ short_entry_signals: sweptSide(definition.short_entry) },
          ...{ short_exit_signals: sweptSide(definition.short_exit) },
        }),
        execution_config: { base: settings },
      };
      const read = readSweep(sweep, findDataset, undefined, [], undefined, 'relaxed');
      assert.ok(read.definition, `${label}: ${read.errors.join('; ')}`);
      const plan = planSweep(read.definition, { sha256, runsMax: 10 });
      assert.equal(plan.totalRuns, 1, label);
      const details = detail === undefined ? {} : { [String(config.detail_interval)]: detail };
      const kernel = new SweepKernel(read.definition, bars, first, 16_000_000, { others, details });
      const swept = runIn(kernel, plan.run(0));
      kernel.release();
      const named = Object.fromEntries(metricNames.map((name) => [name, result.metrics[name]]));
      assert.deepEqual(swept.metrics, named, `${label}: the sweep`);
      seen.swept++;
    }
    if (result.trade_count > 0) seen.traded++;
    if (result.trades.some(({ side }) => side === 'exit_short')) seen.shorts++;
    if (result.trades.some(({ margin }) => margin !== undefined)) seen.margined++;
    if (result.trades.some(({ exits }) => exits !== undefined)) seen.parts++;
    if ((result.diagnostics.order_placed ?? 0) > 0) seen.orders++;
    if (!(Array.isArray(definition.entry) && Array.isArray(definition.short_entry))) seen.choices++;
  }
  t.diagnostic(JSON.stringify(seen));
  for (const what of ['traded', 'shorts', 'margined', 'parts', 'orders', 'swept', 'choices'] as const) {
    assert.ok(seen[what] > 0, `${what}: ${JSON.stringify(seen)}`);
  }
});
