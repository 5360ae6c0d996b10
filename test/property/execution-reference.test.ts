import assert from 'node:assert/strict';
import test from 'node:test';
import {
  type ExecutionFieldName,
  legacyCooldownFields,
  simulate,
  simulateByStep,
  type Trade,
} from '../../engine/execution/index.js';
import { computeMetrics } from '../../engine/metrics/index.js';
import { type BarSeries, DAY_MS, HOUR_MS, MINUTE_MS } from '../../engine/series/index.js';
import { inputOf } from '../support/execution.js';
import { randomBars, seededRandom } from '../support/random.js';
import { readable, referenceRun } from '../support/reference.js';
import { runs } from '../support/scale.js';
import { plainSettingNames, valuesOf } from '../support/setting-values.js';

/** The engine against a separate implementation, written straight from the rules. */

const TOLERANCE = 1e-9;

function assertClose(actual: unknown, expected: unknown, label: string): void {
  if (typeof expected !== 'number' || typeof actual !== 'number') {
    assert.deepEqual(actual, expected, label);
    return;
  }
  const scale = Math.max(1, Math.abs(expected));
  assert.ok(Math.abs(actual - expected) <= TOLERANCE * scale, `${label}: ${actual} against ${expected}`);
}

/**
 * Draws every setting of the table, sometimes without the legacy cooldown, and sometimes with a
 * cooldown by interval in any allowed spelling.
 */
function randomConfig(random: () => number): Record<string, unknown> {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)];
  const drawn = (name: ExecutionFieldName) => {
    const { usual, rare } = valuesOf(name);
    return pick(rare.length > 0 && random() < 0.1 ? rare : usual);
  };
  const tiers = {
    short_loss_limit: pick([0, 1, 2]),
    long_loss_limit: 3,
    short_window_bars: pick([0, 4]),
    long_window_bars: pick([6, 40]),
  };
  const without: readonly string[] = random() < 0.3 ? legacyCooldownFields : [];
  const names = plainSettingNames.filter((name) => !without.includes(name));
  return {
    ...Object.fromEntries(names.map((name) => [name, drawn(name)])),
    ...(random() < 0.4 && { cooldown_config: { [pick(['1h', '5m', '1D', '1d'])]: tiers } }),
  };
}

/** The bars at whose close a rule is true. */
function randomBits(random: () => number, barCount: number): number[] {
  const density = [0, 0.02, 0.2, 0.8][Math.floor(random() * 4)];
  return Array.from({ length: barCount }, (_, i) => i).filter(() => random() < density);
}

function compare(seed: number, bars: BarSeries): void {
  const random = seededRandom(seed);
  const { barCount } = bars;
  const first = random() < 0.5 ? 0 : Math.floor(random() * barCount);
  const entries = randomBits(random, barCount);
  const exits = randomBits(random, barCount);
  const settings = randomConfig(random);
  const input = inputOf(bars, entries, exits, settings, first);
  const expected = referenceRun(input, settings);
  for (const run of [simulate, simulateByStep]) {
    const result = run(input);
    const actual = readable(result);
    const where = `seed ${seed}, ${run.name}`;
    assert.deepEqual(actual.denials, expected.denials, where);
    assert.equal(actual.trades.length, expected.trades.length, where);
    for (const [i, trade] of actual.trades.entries()) {
      for (const [name, value] of Object.entries(expected.trades[i]))
        assertClose(trade[name as keyof Trade], value, `${where}, trade ${i} ${name}`);
    }
    for (const [i, value] of result.equity.entries()) assertClose(value, expected.equity[i], `${where}, equity ${i}`);
    const metrics = computeMetrics({ ...result, bars, first, config: input.config });
    for (const [name, value] of Object.entries(expected.metrics)) {
      assertClose((metrics as Record<string, unknown>)[name], value, `${where}, ${name}`);
    }
  }
}

for (const [intervalMs, name] of [
  [5 * MINUTE_MS, '5m'],
  [HOUR_MS, '1h'],
  [DAY_MS, '1d'],
] as const) {
  test(`${name} runs agree with the reference in trades, denials, equity and metrics`, () => {
    for (let seed = 1; seed <= runs(75, 3_000); seed++) {
      const barCount = 1 + (seed % 240);
      const startMs = Date.UTC(2024, 0, 1) + (seed % 3) * 5 * HOUR_MS * (intervalMs === DAY_MS ? 0 : 1);
      const tick = [0.01, 0.5][seed % 2];
      const options = { seed, barCount, intervalMs, startMs, tick, volatility: 0.02, gapChance: 0.03 };
      compare(seed, randomBars({ ...options, fundingChance: [0, 0, 0, 0.2][seed % 4] }));
    }
  });
}
