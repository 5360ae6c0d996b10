import assert from 'node:assert/strict';
import test from 'node:test';
import { idleSettingWarnings, type SimulationInput, settingNames, simulate } from '../../engine/execution/index.js';
import { fieldOf, type SettingName } from '../../engine/execution/settings.js';
import { computeMetrics } from '../../engine/metrics/index.js';
import { DAY_MS, FUNDING_COLUMN, HOUR_MS, MINUTE_MS } from '../../engine/series/index.js';
import { configOf, noCooldown } from '../support/execution.js';
import { drawnValues, hoursOf, mixedWorld, randomMask } from '../support/mixed-worlds.js';
import { randomBars, seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';

/** The warning of settings without effect names each of them, and no setting that acts. */

type Settings = Readonly<Record<string, unknown>>;

const withSettings = (input: SimulationInput, settings: Settings): SimulationInput => ({
  ...input,
  config: configOf(settings, input.bars.intervalMs, { takesPositionFields: true }),
});

const outcome = (input: SimulationInput) => {
  const simulation = simulate(input);
  return { simulation, metrics: computeMetrics({ ...simulation, ...input }) };
};

const namesIn = (warnings: readonly string[]): string[] =>
  warnings.flatMap((warning) => Array.from(warning.matchAll(/(\w+) acts only with/g), ([, name = '']) => name));

test('in worlds that mix everything, a setting that is named changes nothing', () => {
  const seen = new Set<string>();
  for (let seed = 1; seed <= runs(75, 5_000); seed++) {
    const { input, request } = mixedWorld(seed);
    const idle = namesIn(idleSettingWarnings(input.config, input.shortEntry !== undefined));
    if (idle.length === 0) continue;
    const own = simulate(input);
    for (const name of idle) {
      seen.add(name);
      const without = { ...request.config, [name]: fieldOf(name as SettingName).default };
      assert.deepStrictEqual(simulate(withSettings(input, without)), own, `${name} of seed ${seed}`);
    }
  }
  assert.ok(seen.size > 15, [...seen].join());
});

const quarters = randomBars({ seed: 5, barCount: 8000, intervalMs: 15 * MINUTE_MS, start: 100, volatility: 0.01 });
const funding = Float64Array.from({ length: 2000 }, (_, i) => (i % 8 === 0 ? 0.0001 : 0));
const [long, short] = [seededRandom(6), seededRandom(7)];
/** Entries of both sides over three months, by settings of which one differs from its default. */
const market = (hasShorts: boolean): SimulationInput => {
  const bars = hoursOf(quarters);
  const { barCount } = bars;
  return {
    ...{ bars, detail: quarters, first: (40 * DAY_MS) / HOUR_MS, config: configOf({}) },
    ...{ entry: randomMask(barCount, 0.2, long), exit: randomMask(barCount, 0.02, long) },
    ...(hasShorts && { shortEntry: randomMask(barCount, 0.1, short), shortExit: randomMask(barCount, 0.02, short) }),
  };
};

/** Values of settings that no mixed world draws. */
const further: Readonly<Record<string, readonly unknown[]>> = {
  initial_balance: [5000],
  max_units_per_trade: [0.01],
  cooldown_bars: [2],
  daily_momentum_limit: [1],
  weekly_momentum_limit: [1],
  cooldown_config: [{ '1h': { short_loss_limit: 1, short_window_bars: 5, long_loss_limit: 2, long_window_bars: 50 } }],
  max_hold_time_hours: [3],
  trading_days_per_year: [252],
  trading_hours_per_day: [6.5],
  entry_offset_pct: [0.01],
  entry_offset_atr: [0.5],
  detail_interval: ['15m'],
  atr_cap_multiplier: [0.5],
  max_volume_share: [1e-9],
};

/** Settings of the run with and without one that acts too rarely beside the defaults. */
const beside: Readonly<Record<string, Settings>> = {
  profit_threshold_pct: { exit_on_profit_after_bars: 2 },
  detail_interval: { ...noCooldown, stop_loss_calculation: 'fixed', fixed_stop_pct: 0.004, reward_factor: 1 },
};

for (const hasShorts of [false, true]) {
  test(`each setting alone changes a run ${hasShorts ? 'of both sides' : 'without shorts'}, is named or is refused`, () => {
    const input = market(hasShorts);
    const usual = outcome(input);
    assert.ok(usual.simulation.trades.length > 10);
    const silent = settingNames.filter((name) => {
      if (name === 'allow_generated_bars') return false; // chooses the bars, which are given here
      const values = further[name] ?? drawnValues[name] ?? [];
      assert.ok(values.length > 0, `values of ${name}`);
      const others = beside[name];
      const charged =
        name === 'funding' ? { ...input, bars: { ...input.bars, columns: { [FUNDING_COLUMN]: funding } } } : input;
      const plain = others === undefined && charged === input ? usual : outcome(withSettings(charged, others ?? {}));
      return !values.some((value) => {
        let run: SimulationInput;
        try {
          run = withSettings(charged, { ...others, [name]: value });
        } catch (error) {
          return (error as Error).message.includes('with'); // such as a limit entry without an offset
        }
        if (namesIn(idleSettingWarnings(run.config, hasShorts)).includes(name)) return true;
        const { simulation, metrics } = outcome(run);
        const isSame = (['trades', 'denials', 'equity'] as const).every(
          (key) => JSON.stringify(simulation[key]) === JSON.stringify(plain.simulation[key]),
        );
        return !isSame || JSON.stringify(metrics) !== JSON.stringify(plain.metrics);
      });
    });
    assert.deepEqual(silent, []);
  });
}
