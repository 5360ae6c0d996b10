import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import {
  positionFieldNames,
  type SimulationInput,
  simulate,
  simulateByStep,
  usedPositionFields,
} from '../../engine/execution/index.js';
import { computeMetrics } from '../../engine/metrics/index.js';
import { FusedRuns } from '../../engine/sweep/fused-runs.js';
import { isCovered, POSITIONS_MAX } from '../../engine/sweep/fused-support.js';
import { fusedMetrics, inOneCall } from '../support/fused.js';
import { runs, soak } from '../support/scale.js';
import { either, type SidedWorld, sidedInput, sidedWorld } from '../support/swept-worlds.js';

/** The run in one call over both sides, margin and moving levels. */

/** The settings that the call obeys. */
const coveredNames = positionFieldNames.filter((name) => name !== 'detail_interval' && name !== 'allow_generated_bars');

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
  for (const one of [...reasons, ...sided, ...sizings, ...coveredNames]) {
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

test('finer bars are left to the jump, and so are more positions than there is room for', () => {
  const [w = assert.fail('no world')] = fc.sample(sidedWorld, { numRuns: 1, seed: 1 });
  const input = inputOf(w, { barCount: 100, firstShare: 0 });
  const under = (settings: object) => inOneCall({ ...input, config: { ...input.config, ...settings } });
  assert.equal(under({ detail_interval: '5m' }), null);
  assert.notEqual(
    under({ max_open_positions: POSITIONS_MAX + 1 }),
    null,
    'few bars open no more than there is room for',
  );
  const long = inputOf(w, { barCount: POSITIONS_MAX, firstShare: 0 });
  assert.equal(inOneCall({ ...long, config: { ...long.config, max_open_positions: POSITIONS_MAX + 1 } }), null);
});
