import fc from 'fast-check';
import { type ExecutionConfig, type SimulationInput, usedPositionFields } from '../../engine/execution/index.js';
import { configOf } from './execution.js';
import { randomMask } from './mixed-worlds.js';
import { seededRandom } from './random.js';
import { inputFrom, type World, world } from './worlds.js';

export const either = <T>(...values: T[]) => fc.constantFrom(...values);

/** Settings of the page, none of which contradicts another. */
const sidedSettings = fc
  .record({
    opposite_entry: either('deny', 'close', 'reverse', 'hedge'),
    leverage: either(1, 1, 2, 50),
    maintenance_margin: either(0.005, 0.01),
    borrow_rate: either(0, 0, 0.2),
    max_gross_exposure: either(null, null, 0.5, 3),
    stop_order: either(true, true, false),
    trailing_distance: either(null, 0.5, 2),
    trailing_start: either(0, 1),
    break_even_at: either(null, null, 1),
    break_even_offset_pct: either(0, 0.001),
    target_calculation: either('reward', 'fixed', 'schedule', 'none'),
    fixed_target_pct: either(0.04, 0.01),
    target_schedule: fc.constant([
      [0, 0.05],
      [5, 0.01],
      [20, 0],
    ]),
    target_order: either('market', 'limit'),
    maker_fee_pct: either(null, 0, 0.0002),
    scale_out: either(
      null,
      [[0.5, 0.5]],
      [
        [0.3, 0.25],
        [1, 0.75],
      ],
    ),
    entry_order: either('market', 'market', 'limit', 'stop'),
    entry_offset_pct: either(null, 0, 0.01),
    entry_offset_atr: either(0, 0.5),
    entry_valid_bars: either(1, 3, 10),
    position_sizing: either('risk', 'fixed_amount', 'equity_share', 'volatility_target'),
    trade_amount: either(1000, 4000),
    trade_share: either(0.1, 0.9),
    impact_coefficient: either(0, 0, 0.01),
    guard_max_drawdown: either(null, null, 0.05),
    guard_daily_loss: either(null, null, 0.02),
    guard_group_stop: either(null, null, 0.02),
    guard_pause_bars: either(0, 3, 24),
  })
  .map((settings) => {
    const isMarket = settings.entry_order === 'market';
    const isClosing = settings.opposite_entry === 'close' || settings.opposite_entry === 'reverse';
    return {
      ...settings,
      ...((isMarket || settings.entry_offset_pct !== null) && { entry_offset_atr: null }),
      ...(isMarket ? { entry_offset_pct: null } : isClosing ? { opposite_entry: 'deny' } : {}),
      ...(settings.position_sizing === 'volatility_target' && { volatility_mode: 'stddev', target_volatility: 1 }),
    };
  });

export const sidedWorld = fc.record({ world, settings: sidedSettings, shortChance: either(0.02, 0.1, 0.5) });
export type SidedWorld = Omit<typeof sidedWorld extends fc.Arbitrary<infer W> ? W : never, 'world'> & {
  readonly world: World;
};

type BothSides = SimulationInput & Required<Pick<SimulationInput, 'shortEntry' | 'shortExit'>>;

export function sidedInput({ world: w, settings, shortChance }: SidedWorld): BothSides {
  const input = inputFrom(w);
  const { barCount, intervalMs } = input.bars;
  const random = seededRandom(w.seed + 2);
  return {
    ...input,
    shortEntry: randomMask(barCount, shortChance, random),
    shortExit: randomMask(barCount, w.exitChance, random),
    config: { ...input.config, ...used(sidedConfig(settings, intervalMs)) },
  };
}

/** The resolved settings of a config that takes both sides. */
export const sidedConfig = (settings: Record<string, unknown>, intervalMs: number) =>
  configOf(settings, intervalMs, { takesPositionFields: true });

/** The settings that differ from their defaults. */
function used(config: ExecutionConfig): Partial<ExecutionConfig> {
  const names = [...usedPositionFields(config), 'volatility_mode', 'target_volatility'] as const;
  return Object.fromEntries(names.map((name) => [name, config[name]]));
}
