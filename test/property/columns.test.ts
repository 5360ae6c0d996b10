import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { type BarStore, openBars, writeBars } from '../../data/bars/index.js';
import { openColumns } from '../../data/columns/index.js';
import { joinToBars, mergeRows } from '../../data/columns/series.js';
import { sha256 } from '../../data/hashes/index.js';
import { openStoredMarketData } from '../../data/providers/index.js';
import { resolveConfig, simulate, type Trade } from '../../engine/execution/index.js';
import { computeMetrics, metricNames } from '../../engine/metrics/index.js';
import { type BarSeries, HOUR_MS, sliceBars } from '../../engine/series/index.js';
import { requireSignal, type Signal, signals } from '../../engine/signals/index.js';
import { evaluateRules, parseStrategy, planStrategy } from '../../engine/strategy/index.js';
import { planSweep, SweepKernel } from '../../engine/sweep/index.js';
import { prepareSweep } from '../../research/sweep/index.js';
import { runSynchronousBacktest } from '../../service/backtests/index.js';
import { type ReferenceBars, referenceMargins, referenceSignal } from '../reference/signals.js';
import { backtestDeps } from '../support/backtest-deps.js';
import { callerOf } from '../support/backtests.js';
import { jsonOf, runCliBatch } from '../support/cli.js';
import { columnar, knownAt, type PlainRow, randomRows } from '../support/columns.js';
import { inputOf } from '../support/execution.js';
import { randomParams } from '../support/params.js';
import { randomBars, seededRandom } from '../support/random.js';
import { referenceRun, signalBars } from '../support/reference.js';
import { runs } from '../support/scale.js';
import { runIn } from '../support/sweeps.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Columns beside bars, from the source to the trade: nothing is known before it was published. */

const spanOf = (bars: BarSeries) => ({
  startMs: bars.time[0]! - 20 * HOUR_MS,
  endMs: bars.time[bars.barCount - 1]! + 5 * HOUR_MS,
});

const joinedTo = (bars: BarSeries, rows: readonly PlainRow[]): Float64Array => {
  const out = new Float64Array(bars.barCount);
  joinToBars(mergeRows(null, columnar(rows)).series, bars, out);
  return out;
};

test('each bar has what was known at its close, as a search through all rows finds it', () => {
  for (let seed = 1; seed <= runs(10, 1_000); seed++) {
    const bars = randomBars({ seed, barCount: 120, gapChance: 0.05, intervalMs: [1, 4][seed % 2]! * HOUR_MS });
    const rows = randomRows(seed, { ...spanOf(bars), meanMs: [2, 8, 24][seed % 3]! * HOUR_MS });
    // -0 is 0.
    const expected = Array.from(bars.time, (open) => knownAt(rows, open + bars.intervalMs) + 0);
    const joined = Array.from(joinedTo(bars, rows), (value) => value + 0);
    assert.deepEqual(joined, expected, `seed ${seed}`);
  }
});

test('cutting the source off at any time changes no bar that has closed by then', () => {
  for (let seed = 1; seed <= runs(10, 1_000); seed++) {
    const random = seededRandom(seed);
    const bars = randomBars({ seed, barCount: 120, gapChance: 0.05 });
    const rows = randomRows(seed, spanOf(bars));
    const whole = joinedTo(bars, rows);
    for (let k = 0; k < 10; k++) {
      const bar = Math.floor(random() * bars.barCount);
      const cutMs = bars.time[bar]! + HOUR_MS + (random() < 0.5 ? 0 : Math.floor(random() * HOUR_MS));
      const known = rows.filter(({ published }) => published <= cutMs);
      const cut = joinedTo(sliceBars(bars, 0, bar + 1), known);
      assert.deepEqual(cut, whole.slice(0, bar + 1), `seed ${seed}, cut at bar ${bar}`);
    }
  }
});

test('rows that arrive in several additions give what they give at once, in the order of publication', () => {
  for (let seed = 1; seed <= runs(10, 1_000); seed++) {
    const random = seededRandom(seed + 7);
    const rows = randomRows(seed, { startMs: 0, endMs: 900 * HOUR_MS }).sort((a, b) => a.published - b.published);
    const { series } = mergeRows(null, columnar(rows));
    let cut = Math.floor(random() * rows.length);
    // What is published at one time arrives together.
    while (cut > 0 && cut < rows.length && rows[cut]!.published === rows[cut - 1]!.published) cut++;
    const first = mergeRows(null, columnar(rows.slice(0, cut))).series;
    assert.deepEqual(mergeRows(first, columnar(rows.slice(cut))).series, series, `seed ${seed}`);
    assert.deepEqual(mergeRows(series, columnar(rows)).series, series, 'adding the same rows again changes nothing');
  }
});

const pick = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)]!;
const columnNames = [...new Set(signals.flatMap(({ observes }) => (typeof observes === 'string' ? [observes] : [])))];
const overColumns = signals.filter(({ observes }) => observes !== undefined);

/** Parameters that values of the size of our rows can meet. */
function paramsFor(signal: Signal, random: () => number): Record<string, unknown> {
  const params: Record<string, unknown> = { ...randomParams(signal, random) };
  if (typeof signal.observes !== 'object') return params;
  const isScore = Object.hasOwn(params, 'window');
  const threshold = Math.round((random() - 0.5) * (isScore ? 20 : 100)) / 10;
  const level = Object.hasOwn(params, 'threshold') ? { threshold } : {};
  return { ...params, column: pick([...columnNames, 'Score'], random), ...level };
}

const ruleOf = (role: 'TRIGGER' | 'FILTER', random: () => number) => {
  const ofType = random() < 0.85 ? overColumns.filter(({ type }) => type === role) : overColumns;
  const signal = random() < 0.15 ? requireSignal('formula') : pick(ofType, random);
  return { name: signal.name, signal_type: role, timeframe: '1h', params: paramsFor(signal, random) };
};

type Rule = ReturnType<typeof ruleOf>;

interface Strategy {
  readonly name: string;
  readonly asset: 'RND';
  readonly entry: readonly [Rule, Rule];
  readonly exit: readonly Rule[];
}

const settings = { fee_pct: 0.001, slippage_pct: 0.0005, stop_loss_calculation: 'fixed', fixed_stop_pct: 0.02 };

function strategyOf(seed: number): Strategy {
  const random = seededRandom(seed * 31);
  const exit = random() < 0.5 ? [] : [ruleOf('TRIGGER', random)];
  return { name: `random ${seed}`, asset: 'RND', entry: [ruleOf('TRIGGER', random), ruleOf('FILTER', random)], exit };
}

/** A home with random bars and every column, each from rows with times of their own. */
async function makeWorld() {
  const home = temporaryFolder('columns');
  const plain = randomBars({ seed: 4, barCount: 700, tick: 0.5, volatility: 0.01, gapChance: 0.01 });
  const file = join(home, 'bars.parquet');
  await writeBars(file, plain);
  const store = openBars({ home });
  await store.import(file, { asset: 'RND', intervalMs: HOUR_MS });
  const rows = new Map<string, readonly PlainRow[]>();
  for (const [k, column] of [...columnNames, 'Score'].entries()) {
    const drawn = randomRows(100 + k, { ...spanOf(plain), meanMs: [1, 3, 8, 24][k % 4]! * HOUR_MS });
    // Shares and rates are small; the thresholds of their signals are too.
    const isSmall = /Concentration|Pressure|Spread/.test(column);
    rows.set(column, isSmall ? drawn.map((row) => ({ ...row, value: Math.abs(row.value) / 40 })) : drawn);
  }
  const columns = openColumns({ home });
  for (const [column, list] of rows) await columns.add({ asset: 'RND', column, rows: columnar(list), source: 'test' });
  return { home, store, plain, rows };
}

const world = await makeWorld();

/** The reference: columns by search, signals and execution by their naive versions. */
function byReference({ entry, exit }: Strategy) {
  const { plain, rows } = world;
  const known = (list: readonly PlainRow[]) => Array.from(plain.time, (open) => knownAt(list, open + HOUR_MS));
  const bars: ReferenceBars = {
    ...signalBars(plain),
    onchain: Object.fromEntries([...rows].map(([column, list]) => [column, known(list)])),
  };
  const answers = (rules: readonly Rule[]) =>
    rules.map(({ name, params }) => ({
      answer: referenceSignal(name, params, bars),
      margin: referenceMargins(name, params, bars),
    }));
  const sides = { entry: answers(entry), exit: answers(exit) };
  const all = (side: typeof sides.entry) =>
    Array.from(plain.time, (_, t) => t).filter((t) => side.length > 0 && side.every(({ answer }) => answer[t]));
  const isFirm = [...sides.entry, ...sides.exit].every(({ margin }) => margin.every((one) => one >= 1e-9));
  const input = inputOf(plain, all(sides.entry), all(sides.exit), settings);
  return { trades: referenceRun(input, settings).trades, isFirm };
}

/** The engine alone, over the bars as the store joins them. */
async function byEngine(strategy: Strategy, store: BarStore) {
  const { bars } = await store.load({ asset: 'RND', intervalMs: HOUR_MS, columns: [...world.rows.keys()] });
  const { config } = resolveConfig({ request: settings, interval: HOUR_MS });
  const plan = planStrategy(parseStrategy(strategy, 'relaxed'), HOUR_MS, Object.keys(bars.columns));
  assert.deepEqual(plan.denied, []);
  const masks = evaluateRules(plan, bars);
  const run = simulate({ bars, first: 0, entry: masks.entry, exit: masks.exit, config });
  return { trades: run.trades, metrics: computeMetrics({ ...run, bars, first: 0, config }) };
}

/** The one run of a sweep whose configuration is the strategy. */
async function bySweep({ entry: [trigger, filter], exit }: Strategy, store: BarStore) {
  const sweep = {
    name: 'one',
    datasets: [{ asset: 'RND', timeframe: '1h' }],
    entry_signals: { triggers: [trigger], filters: [filter] },
    exit_signals: { triggers: exit },
    execution_config: settings,
    pre_filter: { enabled: false },
  };
  const { definition, loaded, plan } = await prepareSweep(sweep, { store });
  assert.equal(plan.totalRuns, 1);
  const kernel = new SweepKernel(definition, loaded[0]!.bars, 0, 1_000_000);
  const { metrics } = runIn(kernel, planSweep(definition, { sha256, runsMax: 1 }).run(0));
  kernel.release();
  return metrics;
}

test('random strategies over chain, DeFi and own columns: service, command, sweep, engine and reference agree', async (t) => {
  const { home, store } = world;
  const caller = callerOf('ann');
  const strategies = Array.from({ length: runs(6, 400) }, (_, k) => strategyOf(k + 1));
  const market = openStoredMarketData(openBars({ home }));
  const files: string[][] = [];
  for (const [k, strategy] of strategies.entries()) {
    const path = join(home, `strategy-${k}.json`);
    await writeFile(path, JSON.stringify(strategy));
    const config = Object.entries(settings).map(([key, value]) => `${key}=${value}`);
    files.push(['backtest', '--strategy', path, '--interval', '1h', '--json', '--config', ...config]);
  }
  const commands = (await runCliBatch(files, { home })).map(
    (run) => jsonOf(run) as { metrics: object; trades: object[] },
  );
  let traded = 0;
  let compared = 0;
  for (const [k, strategy] of strategies.entries()) {
    const { trades, metrics } = await byEngine(strategy, store);
    if (trades.length > 0) traded++;
    const ofCommand = commands[k]!;
    const named = (from: object) =>
      Object.fromEntries(metricNames.map((name) => [name, (from as Record<string, unknown>)[name]]));
    assert.deepEqual(named(ofCommand.metrics), JSON.parse(JSON.stringify(named(metrics))), `command, ${strategy.name}`);
    const deps = await backtestDeps({ market });
    const first = world.plain.time[0]!;
    const request = {
      strategy_json: JSON.stringify(strategy),
      ...{ asset: 'RND', interval: '1h', execution_config: settings },
      ...{
        start_date: new Date(first).toISOString(),
        end_date: new Date(world.plain.time.at(-1)! + HOUR_MS).toISOString(),
      },
    };
    const ofService = await runSynchronousBacktest(caller, request, deps, { filling: 'filled' });
    assert.deepEqual(named(ofService.metrics), named(metrics), `service, ${strategy.name}`);
    assert.deepEqual(await bySweep(strategy, store), named(metrics), `sweep, ${strategy.name}`);
    const reference = byReference(strategy);
    if (!reference.isFirm) continue; // rounding may decide a z-score
    compared++;
    const brief = (list: readonly Trade[]) => list.map((trade) => [trade.entryBar, trade.exitBar, trade.exitReason]);
    assert.deepEqual(brief(trades), brief(reference.trades), `reference, ${strategy.name}`);
  }
  t.diagnostic(`${traded} of ${strategies.length} traded, ${compared} compared with the reference`);
  assert.ok(traded > strategies.length / 4 && compared > strategies.length / 2);
});
