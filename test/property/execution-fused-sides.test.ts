import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { type SimulationInput, simulate, simulateByStep } from '../../engine/execution/index.js';
import { computeMetrics } from '../../engine/metrics/index.js';
import { FusedRuns } from '../../engine/sweep/fused-runs.js';
import { isCovered } from '../../engine/sweep/fused-support.js';
import { fusedMetrics, inOneCall } from '../support/fused.js';
import { runs, soak } from '../support/scale.js';
import { either, type SidedWorld, sidedInput, sidedWorld } from '../support/swept-worlds.js';

/** The run in one call over both sides, margin and moving levels. */

/** Settings that the call leaves to the jump from event to event. */
const uncovered = {
  ...{ borrow_rate: 0, scale_out: null, entry_order: 'market', entry_offset_atr: null },
  ...{ guard_max_drawdown: null, guard_daily_loss: null, guard_group_stop: null },
} as const;

const coveredInput = (w: SidedWorld, changes: Partial<SidedWorld['world']> = {}) =>
  sidedInput({
    ...w,
    settings: { ...w.settings, ...uncovered } as SidedWorld['settings'],
    world: { ...w.world, fundingChance: 0, ...changes },
  });

test('a run in one call has the metrics of the bar-by-bar run, bit by bit', () => {
  const seen = new Set<string>();
  const check = fc.property(sidedWorld, either(true, true, false), (w, hasShort) => {
    const { shortEntry, shortExit, ...long } = coveredInput(w);
    const input: SimulationInput = hasShort ? { ...long, shortEntry, shortExit } : long;
    const metrics = inOneCall(input);
    assert.equal(metrics === null, input.first === input.bars.barCount || !isCovered(input.config));
    if (metrics === null) return;
    const run = simulateByStep(input);
    assert.deepStrictEqual(metrics, computeMetrics({ ...input, ...run }));
    for (const { exitReason, details } of run.trades) seen.add(exitReason).add(details?.side ?? '');
    if (run.trades.length > 0) seen.add(String(input.config.position_sizing)).add(String(input.config.opposite_entry));
  });
  // A few worlds do not always have all that must occur.
  fc.assert(check, { numRuns: runs(150, 100_000), ...(soak ? {} : { seed: 1 }) });
  const reasons = ['SL', 'TP', 'SIGNAL', 'MAX_HOLD', 'LOSS_TIMEOUT', 'PROFIT_TIMEOUT', 'END'];
  const sided = ['TRAIL', 'LIQUIDATION', 'OPPOSITE', 'long', 'short', 'close', 'reverse', 'hedge'];
  for (const one of [...reasons, ...sided, 'fixed_amount', 'equity_share', 'volatility_target']) {
    assert.ok(seen.has(one), `${one} occurs`);
  }
});

test('over long series it equals the jump from event to event', () => {
  const check = fc.property(sidedWorld, (w) => {
    const input = coveredInput(w, {
      barCount: runs(2500, 100_000),
      volatility: w.world.volatility / 10,
      firstShare: 0.1,
      entryChance: 0.02,
    });
    if (!isCovered(input.config)) return;
    assert.deepStrictEqual(inOneCall(input), computeMetrics({ ...input, ...simulate(input) }));
  });
  fc.assert(check, { numRuns: runs(15, 400) });
});

test('what one run leaves in memory does not change the next, of one side or of both', () => {
  const worlds = fc.sample(sidedWorld, { numRuns: runs(30, 1_000), seed: 8 });
  const { bars } = coveredInput(worlds[0] ?? assert.fail('no world'), { barCount: 700, intervalMs: 3_600_000 });
  const fused = FusedRuns.over(bars, 20);
  let covered = 0;
  for (const [k, w] of worlds.entries()) {
    const { entry, exit, shortEntry, shortExit, config } = coveredInput(w, { barCount: 700, intervalMs: 3_600_000 });
    const sides = k % 3 === 0 ? { entry, exit } : { entry, exit, shortEntry, shortExit };
    const input = { bars, first: 20, ...sides, config };
    const metrics = fusedMetrics(fused, input);
    if (metrics === null) continue;
    covered++;
    assert.deepStrictEqual(metrics, computeMetrics({ ...input, ...simulate(input) }));
  }
  assert.ok(covered > worlds.length / 2, `${covered} runs were covered`);
});

test('the rest is left to the jump from event to event', () => {
  const [w = assert.fail('no world')] = fc.sample(sidedWorld, { numRuns: 1, seed: 1 });
  const input = coveredInput(w, { barCount: 100, firstShare: 0 });
  const others: readonly object[] = [
    { borrow_rate: 0.1 },
    { scale_out: [[1, 0.5]] },
    { entry_order: 'limit', entry_offset_pct: 0.01 },
    { guard_daily_loss: 0.1 },
  ];
  for (const other of others) {
    const { opposite_entry, ...config } = input.config;
    assert.equal(inOneCall({ ...input, config: { ...config, ...other } }), null, JSON.stringify(other));
  }
});
