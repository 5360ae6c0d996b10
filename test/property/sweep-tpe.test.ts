import assert from 'node:assert/strict';
import test from 'node:test';
import { SplitMix64 } from '../../engine/statistics/index.js';
import { spacesOf } from '../../engine/sweep/choice-space.js';
import { ConfigurationTree, type Decision } from '../../engine/sweep/configuration-tree.js';
import { RunIdentity } from '../../engine/sweep/index.js';
import { Cells, ParzenEstimate } from '../../engine/sweep/parzen.js';
import { seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';
import { definitionOf, filter, planOf, sha256, trigger } from '../support/sweeps.js';
import { searchAll } from '../support/tpe.js';

const random = seededRandom(77);
const below = (n: number) => Math.floor(random() * n);
const shuffled = <T>(list: readonly T[]): T[] =>
  list
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
const windows = (from: number) => shuffled(Array.from({ length: 1 + below(3) }, (_, k) => from + 3 * k));
const axis = (from: number) => ({ values: windows(from) });

/**
 * Spaces of a few to some thousand configurations: unordered lists, sets of filters, constraints,
 * signals without parameters.
 */
function randomSweep(seed: number): Record<string, unknown> {
  const triggers = [
    trigger('sma_cross_up', { window_fast: axis(5), window_slow: axis(8) }),
    // No configuration meets the constraint.
    trigger('sma_cross_down', { window_fast: { values: [60] }, window_slow: { values: [20, 40] } }),
    trigger('rsi_cross_up', { window: axis(5), threshold: axis(30) }),
  ];
  const filters = ['is_above_sma', 'is_above_dema', 'is_above_tema'].map((name) => filter(name, { window: axis(20) }));
  const [entryTriggers, entryFilters] = [shuffled(triggers), shuffled(filters).slice(below(3))];
  const min = 1 + below(entryFilters.length);
  const exitFilters = filters.slice(0, below(3));
  const trials = 1 + below(120);
  return {
    name: 'random',
    seed,
    search_mode: 'tpe',
    tpe: {
      trials,
      startup_trials: 1 + below(Math.min(trials, 30)),
      batch: 1 + below(40),
      candidates: 1 + below(30),
      good_fraction: 0.05 + 0.4 * random(),
    },
    datasets: [
      { asset: 'BTC', timeframe: '1h' },
      { asset: 'ETH', timeframe: '4h' },
    ].slice(below(2)),
    entry_signals: {
      triggers: entryTriggers,
      filters: entryFilters,
      min_filters: min,
      max_filters: min + below(entryFilters.length - min + 1),
      constraints: [['window', '!=', 26]],
    },
    exit_signals:
      random() < 0.5
        ? {}
        : { triggers: triggers.slice(2), filters: exitFilters, max_filters: below(exitFilters.length + 1) },
    execution_config: {
      sweep_axes: [
        { param: 'reward_factor', values: windows(2) },
        { param: 'stop_loss_calculation', values: ['fixed', 'dynamic_atr'] },
      ],
    },
  };
}

test('every trial is a configuration of the grid over the same lists, and no trial comes twice', () => {
  for (let round = 0; round < runs(5, 500); round++) {
    const json = randomSweep(round);
    const plan = planOf(json);
    const grid = planOf({ ...json, search_mode: 'grid' });
    const identity = new RunIdentity(definitionOf(json), sha256);
    const inGrid = new Set(Array.from({ length: grid.totalRuns }, (_, i) => identity.configHash(grid.run(i))));
    searchAll(plan, () => (random() < 0.2 ? NaN : random() - 0.5));
    const trials = Array.from({ length: plan.totalRuns }, (_, i) => identity.configHash(plan.run(i)));
    assert.equal(new Set(trials).size, trials.length, `round ${round}`);
    for (const hash of trials) assert.ok(inGrid.has(hash), `round ${round}`);
    const datasets = (json.datasets as unknown[]).length;
    const perDataset = Math.min((json.tpe as { trials: number }).trials, grid.totalRuns / datasets);
    assert.equal(plan.totalRuns, datasets * perDataset, `round ${round}`);
  }
});

test('a place and its decisions name the same configuration', () => {
  for (let round = 0; round < runs(5, 500); round++) {
    const definition = definitionOf(randomSweep(round));
    const spaces = spacesOf(definition);
    const tree = new ConfigurationTree(spaces, definition.variants);
    const source = new SplitMix64(round);
    const picker = {
      below: (n: number) => source.below(n),
      pick(dimension: number, taken: readonly number[]): number {
        const digit = source.below(tree.dimensions[dimension].size);
        return taken.includes(digit) ? this.pick(dimension, taken) : digit;
      },
    };
    /** Filters are drawn in any order. */
    const sorted = (decisions: readonly Decision[]) =>
      decisions.toSorted((a, b) => a.dimension - b.dimension || a.digit - b.digit);
    for (let i = 0; i < 50; i++) {
      const { decisions, place } = tree.draw(picker);
      assert.ok(place() >= 0 && place() < tree.size);
      assert.deepEqual(sorted(tree.decisionsAt(place())), sorted(decisions), `round ${round}`);
    }
  }
});

test('an estimate is a distribution with its mass where the observations are, and draws follow it', () => {
  for (let round = 0; round < runs(10, 1_000); round++) {
    const isOrdinal = random() < 0.7;
    const size = 1 + below(isOrdinal && random() < 0.3 ? 10_000 : 60);
    const cells = new Cells({ size, isOrdinal });
    for (let digit = 0; digit < size; digit++) {
      const cell = cells.of(digit);
      assert.ok(digit >= cells.start(cell) && digit < cells.start(cell) + cells.width(cell));
    }
    const counts = new Float64Array(cells.count);
    const peak = below(cells.count);
    counts[peak] = 20;
    for (let i = below(5); i > 0; i--) counts[below(cells.count)]++;
    const estimate = new ParzenEstimate(cells, counts);
    assert.ok(Math.abs(estimate.mass.reduce((a, b) => a + b) - 1) < 1e-9);
    assert.ok(estimate.mass.every((mass) => mass > 0));
    const source = new SplitMix64(round);
    const shares = new Float64Array(cells.count);
    for (let i = 0; i < 2_000; i++) shares[cells.of(estimate.draw(source, []))] += 1 / 2_000;
    for (const [cell, mass] of estimate.mass.entries()) assert.ok(Math.abs(shares[cell] - mass) < 0.06);
    if (!isOrdinal && size > 2) {
      assert.ok(estimate.mass[peak] > 0.7);
      for (let i = 0; i < 50; i++) assert.ok(![peak, 0].includes(estimate.draw(source, [peak, 0])));
    }
  }
});
