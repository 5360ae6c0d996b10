import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import {
  dependsOnEntry,
  type ExecutionConfig,
  positionFieldNames,
  type SimulationInput,
  STRETCH_NUMBERS,
  simulate,
  simulateByStep,
  usedPositionFields,
} from '../../engine/execution/index.js';
import { computeMetrics } from '../../engine/metrics/index.js';
import { createMask, HOUR_MS, type Mask, maskWithBars } from '../../engine/series/index.js';
import { BarsWithinReach } from '../../engine/simd/index.js';
import { FusedRuns } from '../../engine/sweep/fused-runs.js';
import { isCovered, POSITIONS_MAX } from '../../engine/sweep/fused-support.js';
import { barsOf, plainSettings } from '../support/execution.js';
import { fusedMetrics, inOneCall } from '../support/fused.js';
import { mixedWorld, randomMask } from '../support/mixed-worlds.js';
import { seededRandom } from '../support/random.js';
import { runs, soak } from '../support/scale.js';
import { either, type SidedWorld, sidedConfig, sidedInput, sidedWorld } from '../support/swept-worlds.js';

/** The run in one call over both sides, margin and moving levels. */

/** The settings that these worlds draw. */
const drawnNames = positionFieldNames.filter((name) => name !== 'detail_interval' && name !== 'allow_generated_bars');

const inputOf = (w: SidedWorld, changes: Partial<SidedWorld['world']> = {}) =>
  sidedInput({ ...w, world: { ...w.world, ...changes } });

test('a run in one call has the metrics of the bar-by-bar run, bit by bit', () => {
  const seen = new Set<string>();
  const check = fc.property(sidedWorld, either(true, true, false), (w, hasShort) => {
    const { shortEntry, shortExit, ...long } = inputOf(w);
    const input: SimulationInput = hasShort ? { ...long, shortEntry, shortExit } : long;
    const metrics = inOneCall(input);
    assert.equal(
      metrics === null,
      input.first === input.bars.barCount || !isCovered(input.config, input.bars.barCount),
    );
    if (metrics === null) return;
    const run = simulateByStep(input);
    assert.deepStrictEqual(metrics, computeMetrics({ ...input, ...run }));
    for (const { exitReason, details } of run.trades) seen.add(exitReason).add(details?.side ?? '');
    for (const { fundingPaid } of run.trades) if (fundingPaid !== 0) seen.add('funding');
    if (run.trades.length === 0) return;
    seen.add(String(input.config.position_sizing)).add(String(input.config.opposite_entry));
    for (const name of usedPositionFields(input.config)) seen.add(name);
  });
  // A few worlds do not always have all that must occur.
  fc.assert(check, { numRuns: runs(150, 100_000), ...(soak ? {} : { seed: 1 }) });
  const reasons = ['SL', 'TP', 'SIGNAL', 'MAX_HOLD', 'LOSS_TIMEOUT', 'PROFIT_TIMEOUT', 'END'];
  const sided = [
    'TRAIL',
    'LIQUIDATION',
    'OPPOSITE',
    'GUARD',
    'SCALE_OUT',
    'funding',
    'long',
    'short',
    'close',
    'reverse',
    'hedge',
  ];
  const sizings = ['fixed_amount', 'equity_share', 'volatility_target'];
  for (const one of [...reasons, ...sided, ...sizings, ...drawnNames]) {
    assert.ok(seen.has(one), `${one} occurs`);
  }
});

test('over long series it equals the jump from event to event', () => {
  const check = fc.property(sidedWorld, (w) => {
    const input = inputOf(w, {
      barCount: runs(2500, 100_000),
      volatility: w.world.volatility / 10,
      firstShare: 0.1,
      entryChance: 0.02,
    });
    if (!isCovered(input.config, input.bars.barCount)) return;
    assert.deepStrictEqual(inOneCall(input), computeMetrics({ ...input, ...simulate(input) }));
  });
  fc.assert(check, { numRuns: runs(15, 400) });
});

test('what one run leaves in memory does not change the next, of one side or of both', () => {
  const worlds = fc.sample(sidedWorld, { numRuns: runs(30, 1_000), seed: 8 });
  const { bars } = inputOf(worlds[0] ?? assert.fail('no world'), { barCount: 700, intervalMs: 3_600_000 });
  const fused = FusedRuns.over(bars, 20);
  let covered = 0;
  let before: SimulationInput | undefined;
  for (const [k, w] of worlds.entries()) {
    const own = inputOf(w, { barCount: 700, intervalMs: 3_600_000 });
    const { entry, exit, shortEntry, shortExit } = own;
    const config = Object.freeze(own.config);
    const sides = k % 3 === 0 ? { entry, exit } : { entry, exit, shortEntry, shortExit };
    const input: SimulationInput = { bars, first: 20, ...sides, config };
    // Then the exits and settings of the run before, whose known entries it reads.
    for (const one of [input, { ...input, ...exitsOf(before) }]) {
      const metrics = fusedMetrics(fused, one);
      if (metrics === null) continue;
      covered++;
      assert.deepStrictEqual(metrics, computeMetrics({ ...one, ...simulate(one) }));
    }
    before = input;
  }
  assert.ok(covered > worlds.length, `${covered} runs were covered`);
});

const exitsOf = ({ exit, shortExit, config }: Partial<SimulationInput> = {}) => ({
  ...(exit !== undefined && { exit }),
  ...(shortExit !== undefined && { shortExit }),
  ...(config !== undefined && { config }),
});

/** Settings under which an entry tells what becomes of its position. */
const atMarket: Partial<ExecutionConfig> = {
  ...{ entry_order: 'market', target_order: 'market', entry_offset_pct: null, entry_offset_atr: null, scale_out: null },
  ...{ impact_coefficient: 0, borrow_rate: 0, funding: false },
  ...{ guard_max_drawdown: null, guard_daily_loss: null, guard_group_stop: null },
};

test('runs read what earlier runs of the same exits and settings found out about an entry, and equal the jump', () => {
  const random = seededRandom(9);
  const seen = new Map<string, number>();
  for (const w of fc.sample(sidedWorld, { numRuns: runs(60, 2_000), seed: 9 })) {
    const { bars, config: every } = inputOf(w, { barCount: 300, intervalMs: 3_600_000 });
    const { detail_interval: _, ...coarse } = every;
    const drawn = { ...coarse, ...(random() < 0.2 ? {} : atMarket) };
    const fused = FusedRuns.over(bars, 20);
    const maskOf = (chances: readonly number[]) =>
      randomMask(bars.barCount, chances[Math.floor(random() * chances.length)] ?? 0, random);
    // More settings and exits than there is room for entries of all, and exits so rare that the end comes first.
    const exits = [1, 2, 3].map(() => maskOf([0, 0.003, 0.05]));
    const wider = [0.5, 1, 2, 4].map((n) => ({ reward_factor: n, fixed_target_pct: n / 50, fixed_stop_pct: n / 100 }));
    const changes = [{}, { initial_balance: 40 }, ...wider];
    const configs = changes.map((change) => Object.freeze({ ...drawn, ...change }));
    for (let k = 0; k < 60; k++) {
      const [exit, shortExit] = [0, 1].map((side) => exits[(k + side) % 3] ?? exits[0]) as [Mask, Mask];
      const shorts = { shortEntry: maskOf([0.01, 0.2]), ...(random() < 0.5 && { shortExit }) };
      const sides = k % 2 === 0 ? {} : shorts;
      const config = configs[Math.floor(k / 3) % 6] ?? drawn;
      const input: SimulationInput = { bars, first: 20, entry: maskOf([0.01, 0.2]), exit, ...sides, config };
      const metrics = fusedMetrics(fused, input);
      if (metrics === null) continue;
      const run = simulate(input);
      assert.deepStrictEqual(metrics, computeMetrics({ ...input, ...run }), `run ${k}`);
      const kind = dependsOnEntry(input) ? 'known' : 'found anew';
      for (const { exitReason } of run.trades)
        seen.set(`${kind} ${exitReason}`, (seen.get(`${kind} ${exitReason}`) ?? 0) + 1);
      seen.set('alone', (seen.get('alone') ?? 0) + run.alone.length / STRETCH_NUMBERS);
    }
    fused?.release();
  }
  for (const reason of ['SL', 'TP', 'SIGNAL', 'MAX_HOLD', 'END', 'TRAIL', 'LIQUIDATION', 'OPPOSITE']) {
    assert.ok((seen.get(`known ${reason}`) ?? 0) > 5, `${reason}: ${JSON.stringify([...seen])}`);
  }
  assert.ok((seen.get('alone') ?? 0) > 1_000, JSON.stringify([...seen]));
});

test('in the worlds of the reference, where finer bars decide and charges use up all cash, too', () => {
  const reach = new BarsWithinReach();
  const seen = { resolved: 0, changed: 0, unresolved: 0, ordered: 0 };
  // An open sells the last part of a position, and the finer bars begin elsewhere; a margin that has borne a charge is
  // held on, and receives; a guard reads several days of a position.
  const rare = [10_871, 8_940, 18_630, 6_463];
  for (const seed of [...rare, ...Array(runs(3_000, 400_000)).keys()]) {
    const { input } = mixedWorld(seed);
    if (input.first === input.bars.barCount) continue;
    const run = simulateByStep(input);
    const metrics = inOneCall({ ...input, bars: reach.hold(input.bars) });
    assert.deepStrictEqual(metrics, computeMetrics({ ...input, ...run }), `seed ${seed}`);
    const { resolved = 0, changed = 0, unresolved = 0 } = run.sided?.detail ?? {};
    seen.resolved += resolved;
    seen.changed += changed;
    seen.unresolved += unresolved;
    if (changed > 0 && input.config.entry_order !== undefined) seen.ordered++;
  }
  for (const [what, times] of Object.entries(seen)) assert.ok(times > 10, `${what}: ${times}`);
});

test('runs over the same bars take other finer bars in turn', () => {
  const detail = barsOf(
    [
      [100, 130, 100, 130],
      [130, 130, 70, 100],
    ],
    HOUR_MS / 2,
  );
  const bars = barsOf([
    [100, 100, 100, 100],
    [100, 130, 70, 100],
  ]);
  const later = { ...detail, time: detail.time.map((time) => time + HOUR_MS) };
  const reversed = { ...later, high: detail.high.toReversed(), low: detail.low.toReversed() };
  const fused = FusedRuns.over(bars, 0);
  const config = sidedConfig({ ...plainSettings, detail_interval: '30m' }, bars.intervalMs);
  const input = { bars, first: 0, entry: maskWithBars(2, [0]), exit: createMask(2), config };
  const reasons = [later, later, reversed, later].map((one) => {
    const run = simulateByStep({ ...input, detail: one });
    assert.deepStrictEqual(fusedMetrics(fused, { ...input, detail: one }), computeMetrics({ ...input, ...run }));
    return run.trades[0]?.exitReason;
  });
  assert.deepEqual(reasons, ['TP', 'TP', 'SL', 'TP']);
});

test('guards see the value of both sides, where the older position gains and the account loses', () => {
  const bars = barsOf(Array.from({ length: 60 }, (_, i) => [100 + i, 100 + i, 100 + i, 100 + i] as const));
  const settings = {
    opposite_entry: 'hedge',
    max_open_positions: 3,
    position_sizing: 'fixed_amount',
    trade_amount: 1000,
  };
  const levels = { stop_order: false, target_calculation: 'none', guard_max_drawdown: 0.02 };
  const input = {
    ...{ bars, first: 0, entry: maskWithBars(60, [0]), exit: createMask(60), shortEntry: maskWithBars(60, [1, 2]) },
    config: sidedConfig({ ...plainSettings, ...settings, ...levels }, bars.intervalMs),
  };
  const run = simulateByStep(input);
  assert.deepEqual(
    run.trades.map(({ exitReason }) => exitReason),
    ['GUARD', 'GUARD', 'GUARD'],
  );
  assert.deepStrictEqual(inOneCall(input), computeMetrics({ ...input, ...run }));
});

test('more positions than there is room for are left to the jump', () => {
  const [w = assert.fail('no world')] = fc.sample(sidedWorld, { numRuns: 1, seed: 1 });
  const input = inputOf(w, { barCount: 100, firstShare: 0 });
  const under = (settings: object) => inOneCall({ ...input, config: { ...input.config, ...settings } });
  assert.notEqual(
    under({ max_open_positions: POSITIONS_MAX + 1 }),
    null,
    'few bars open no more than there is room for',
  );
  const long = inputOf(w, { barCount: POSITIONS_MAX, firstShare: 0 });
  assert.equal(inOneCall({ ...long, config: { ...long.config, max_open_positions: POSITIONS_MAX + 1 } }), null);
});
