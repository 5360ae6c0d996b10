import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import {
  denialReasons,
  type ExecutionConfig,
  type SimulationInput,
  simulate,
  simulateByStep,
} from '../../engine/execution/index.js';
import { computeMetrics } from '../../engine/metrics/index.js';
import { ColumnMemory } from '../../engine/series/column-memory.js';
import { allocateBars, type BarSeries, createMask, HOUR_MS, type Mask } from '../../engine/series/index.js';
import { FusedRuns } from '../../engine/sweep/fused-runs.js';
import { isCovered } from '../../engine/sweep/fused-support.js';
import { configOf, plainSettings } from '../support/execution.js';
import { fusedMetrics, inOneCall } from '../support/fused.js';
import { seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';
import { inputFrom, ownReasons, sidedReasons, world } from '../support/worlds.js';

const metricsOf = (input: SimulationInput, run = simulate) => computeMetrics({ ...input, ...run(input) });

const [someWorld] = fc.sample(world, { numRuns: 1, seed: 1 });

test('a run in one call has the metrics of the simulation, bit by bit', () => {
  const seen = new Set<string>();
  const check = fc.property(world, (w) => {
    const input = inputFrom(w);
    const metrics = inOneCall(input);
    assert.equal(
      metrics === null,
      input.first === input.bars.barCount || !isCovered(input.config, input.bars.barCount),
    );
    if (metrics === null) return;
    const { trades, denials, ...rest } = simulate(input);
    assert.deepStrictEqual(metrics, computeMetrics({ ...input, ...rest, trades }));
    for (const { exitReason } of trades) seen.add(exitReason);
    for (const code of denials.reasons) seen.add(denialReasons[code]);
  });
  fc.assert(check, { numRuns: runs(200, 200_000) });
  const exitReasons = ['SL', 'TP', 'SIGNAL', 'MAX_HOLD', 'LOSS_TIMEOUT', 'PROFIT_TIMEOUT', 'END'];
  const expected = [...exitReasons, ...ownReasons].filter((reason) => !sidedReasons.includes(reason));
  assert.deepEqual([...seen].sort(), expected.sort(), 'every reason occurs');
});

test('over long series a run in one call equals the bar-by-bar simulation', () => {
  const check = fc.property(world, (w) => {
    const input = inputFrom({ ...w, barCount: runs(2500, 100_000), volatility: w.volatility / 10, firstShare: 0.1 });
    if (!isCovered(input.config, input.bars.barCount)) assert.equal(inOneCall(input), null);
    else assert.deepStrictEqual(inOneCall(input), metricsOf(input, simulateByStep));
  });
  fc.assert(check, { numRuns: runs(8, 200) });
});

test('what one run leaves in memory does not change the next', () => {
  const random = seededRandom(8);
  const worlds = fc.sample(world, { numRuns: runs(30, 1_000), seed: 8 });
  const { bars } = inputFrom({ ...worlds[0], barCount: 700, intervalMs: 3_600_000, firstShare: 0 });
  const first = 20;
  const fused = FusedRuns.over(bars, first);
  const masks: Mask[] = [];
  const configs: ExecutionConfig[] = [];
  let covered = 0;
  for (const [k, w] of worlds.entries()) {
    const { entry, exit, config: own } = inputFrom({ ...w, barCount: 700, intervalMs: bars.intervalMs });
    masks.push(entry, exit);
    configs.push(Object.freeze(own));
    const [some, other] = [0, 1].map(() => masks[Math.floor(random() * masks.length)]);
    // Every other run has the exits and settings of an earlier one, whose known entries it reads.
    const config = configs[k % 2 === 0 ? k : Math.floor(random() * 4) % configs.length];
    const input = { bars, first, entry: some, exit: k % 2 === 0 ? other : masks[1], config };
    const metrics = fusedMetrics(fused, input);
    if (metrics === null) continue;
    covered++;
    assert.deepStrictEqual(metrics, metricsOf(input));
  }
  assert.ok(covered > worlds.length / 5, `${covered} runs were covered`);
});

test('hundreds of positions that are open at once are covered', () => {
  const { bars, exit } = inputFrom({ ...someWorld, barCount: 700, intervalMs: HOUR_MS, volatility: 0.001 });
  const limits = { max_open_positions: 400, max_trades_per_day: 1_000, min_trade_amount: 0, max_hold_bars: 300 };
  const config = configOf({ ...plainSettings, ...limits, max_risk_per_trade: 0.0001 }, HOUR_MS);
  const input = { bars, first: 0, entry: createMask(700).fill(-1 >>> 0), exit: exit.fill(0), config };
  const { trades } = simulate(input);
  const last = trades.filter(({ exitReason }) => exitReason === 'END').length;
  assert.ok(last > 200, `${last} positions are open at once`);
  assert.deepStrictEqual(inOneCall(input), metricsOf(input));
});

test('more ATR periods than the cache keeps change nothing', () => {
  const { bars, entry, exit } = inputFrom({ ...someWorld, barCount: 130_000, volatility: 0.001 });
  const fused = FusedRuns.over(bars, 0);
  for (const round of [0, 1]) {
    for (let atr_period = 2; atr_period < 22; atr_period += 1 + round) {
      const config = configOf({ atr_period }, bars.intervalMs);
      const input = { bars, first: 0, entry, exit, config };
      assert.deepStrictEqual(fusedMetrics(fused, input), metricsOf(input), `period ${atr_period}`);
    }
  }
});

test('a run with settings out of range is refused, and bars out of reach have no runs in one call', () => {
  const input = inputFrom({ ...someWorld, barCount: 100, firstShare: 0 });
  assert.throws(() => inOneCall({ ...input, config: { ...input.config, fee_pct: -1 } }), /fee_pct must be/);

  const plain = allocateBars(100, input.bars.intervalMs, [], (columns, length) =>
    Array.from({ length: columns }, () => new Float64Array(length)),
  ) satisfies BarSeries;
  assert.equal(FusedRuns.over(plain, 0), null, 'bars in ordinary arrays');
  assert.equal(FusedRuns.over(input.bars, 100), null, 'no tradable bar');
});

test('where the memory of the bars is full, runs that need more of it are not covered', () => {
  const { bars, entry, exit } = inputFrom({ ...someWorld, barCount: 20_000, volatility: 0.001 });
  const fused = FusedRuns.over(bars, 0);
  const of = (stop_loss_calculation: string) =>
    fusedMetrics(fused, { bars, first: 0, entry, exit, config: configOf({ stop_loss_calculation }, bars.intervalMs) });
  const { memory } = ColumnMemory.of(bars.close) ?? assert.fail('the bars have no memory');
  // Address space only: no page of it is touched.
  memory.grow(65_536 - memory.buffer.byteLength / 65_536);
  assert.equal(of('dynamic_atr'), null, 'no room for the columns of the ATR');
  assert.notEqual(of('fixed'), null);
  assert.equal(FusedRuns.over(bars, 0), null, 'no room for the run');
});
