import fc from 'fast-check';
import { denialReasons } from '../../engine/execution/index.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../engine/series/index.js';
import { configOf } from './execution.js';
import { randomMask } from './mixed-worlds.js';
import { randomBars, seededRandom } from './random.js';
import { plainSettingNames, type SettingValues, valuesOf } from './setting-values.js';

const tier = fc.record({
  short_loss_limit: fc.constantFrom(0, 1, 2, 3),
  short_window_bars: fc.constantFrom(0, 1, 4, 12),
  long_loss_limit: fc.constantFrom(0, 1, 4),
  long_window_bars: fc.constantFrom(0, 6, 40),
});

/** Mostly values that let trades happen, sometimes one that binds or forbids. */
const mostly = <T>(usual: readonly T[], rare: readonly T[]) =>
  fc.oneof({ weight: 25, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...rare) });

const drawn = ({ usual, rare }: SettingValues) => (rare.length === 0 ? fc.constantFrom(...usual) : mostly(usual, rare));

/** Every setting of the table. */
const settings = fc.record({
  ...Object.fromEntries(plainSettingNames.map((name) => [name, drawn(valuesOf(name))])),
  cooldown: fc.option(tier),
});

/** Bars, rules and settings of a run, each of them sometimes unusual. */
export const world = fc.record({
  settings,
  seed: fc.nat(),
  barCount: fc.oneof(
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 3 }) },
    { weight: 9, arbitrary: fc.integer({ min: 4, max: 700 }) },
  ),
  firstShare: mostly([0, 0.1], [1]),
  intervalMs: fc.constantFrom(5 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, DAY_MS),
  volatility: fc.constantFrom(0.0005, 0.01, 0.05),
  /**
   * Several magnitudes: if all prices were near 100, a double read at a wrong place would look
   * right.
   */
  start: fc.constantFrom(100, 100, 12, 3_000),
  gapChance: fc.constantFrom(0, 0.05),
  fundingChance: mostly([0, 0, 0.125], [1]),
  flatChance: mostly([0, 0.02, 0.6], [1]),
  tick: mostly([0.001, 0.01, 1], [10]),
  entryChance: mostly([0.02, 0.1, 0.5, 1], [0]),
  exitChance: mostly([0, 0.01, 0.1, 0.5], [1]),
});
export type World = Omit<typeof world extends fc.Arbitrary<infer W> ? W : never, 'volatility'> & {
  readonly volatility: number;
};

export function inputFrom(w: World) {
  const { cooldown, ...rest } = w.settings;
  const interval = w.intervalMs;
  const key = interval >= DAY_MS ? '1D' : interval >= HOUR_MS ? `${interval / HOUR_MS}H` : `${interval / MINUTE_MS}m`;
  const bars = randomBars({ ...w, startMs: Date.UTC(2024, 0, 1, 7) });
  const random = seededRandom(w.seed + 1);
  return {
    bars,
    first: Math.floor(w.firstShare * bars.barCount),
    entry: randomMask(bars.barCount, w.entryChance, random),
    exit: randomMask(bars.barCount, w.exitChance, random),
    config: configOf({ ...rest, ...(cooldown && { cooldown_config: { [key]: cooldown } }) }, interval),
  };
}

/** Reasons of runs that use sides, margin, orders or guards; see execution-sides.test.ts. */
export const sidedReasons: readonly string[] = [
  'side_conflict',
  'order_working',
  'guard',
  'opposite_position',
  'max_exposure',
];

/** Reasons of a single run; the others belong to portfolios. */
export const ownReasons = denialReasons.filter((reason) => reason !== 'portfolio_positions');
