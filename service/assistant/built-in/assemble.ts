import { findSignal, requireSignal } from '../../../engine/index.js';
import type { PlannedRule, Role, StrategyConfig } from '../candidate.js';
import type { Collected, Proposal } from '../mind.js';
import { isExcluded, isNamed } from './propose.js';
import { mirrored, mirroredAll, shortSideOf, trailSettings } from './sides.js';

/** A trigger, a filter and an exit each make a candidate. */
export const CANDIDATES_MAX = 8;
const REWARD_FACTOR = 2;

const opposites: readonly (readonly [RegExp, string])[] = [
  [/_up\b/, '_down'],
  [/bullish/, 'bearish'],
  [/upper/, 'lower'],
  [/positive/, 'negative'],
];

/** The event that undoes a trigger; null where the registry has none. */
function exitFor(trigger: PlannedRule): PlannedRule | null {
  const signal = requireSignal(trigger.name);
  if (signal.category === 'user') return null;
  if (signal.bias === 'by_direction') return { ...trigger, params: { ...trigger.params, direction: 'bearish' } };
  for (const [pattern, other] of opposites) {
    const found = pattern.test(trigger.name) ? findSignal(trigger.name.replace(pattern, other)) : undefined;
    if (found === undefined || found.type !== 'TRIGGER') continue;
    const params = Object.entries(trigger.params).filter(([name]) => name in found.params && name !== 'threshold');
    const threshold = found.params.threshold;
    const level = threshold !== undefined && threshold.default !== undefined ? { threshold: threshold.default } : {};
    return { ...trigger, name: found.name, params: { ...Object.fromEntries(params), ...level } };
  }
  return null;
}

/** The rules of a candidate, side by side. */
type Sided = Pick<StrategyConfig, Role>;

/**
 * The candidates of a conversation. Rules that the user named are exactly these rules: without an
 * exit of the user's own, one candidate leaves by stop and target, and one by the opposite event
 * too. Else every trigger meets every filter, so that all fit the strict rule of composition; on
 * the short side each says of falling prices what it says of rising ones.
 */
export function assemble(collected: Collected, { triggers, filters }: Proposal, stamp: string): StrategyConfig[] {
  const named = isNamed(collected);
  const entries = named
    ? [collected.entry]
    : triggers.flatMap((trigger) =>
        filters.length === 0 ? [[bare(trigger)]] : filters.map((filter) => [trigger, filter].map(bare)),
      );
  const rules = entries.flatMap((entry) => (named ? namedSides(collected) : proposedSides(collected, entry)));
  return rules.slice(0, Math.min(collected.count ?? CANDIDATES_MAX, CANDIDATES_MAX)).map((sides, place) => ({
    name: `${collected.asset ?? ''} ${(sides.entry[0] ?? sides.short_entry?.[0])?.name ?? ''} ${place + 1} ${stamp}`.trim(),
    asset: collected.asset ?? '',
    ...sides,
    ...settingsOf(collected),
  }));
}

/** Each of the ways out of the long side with each of those of the short side. */
function namedSides(collected: Collected): Sided[] {
  const { entry, sides } = collected;
  const { entry: shorts, exit: covered } = shortSideOf(collected) ?? { entry: [], exit: [] };
  const isLong = entry.length > 0 && (sides !== 'short' || shorts.length === 0);
  if (!isLong)
    return shortExitsOf({ ...collected, short_exit: covered }, shorts).map((exit) => ({
      entry: [],
      exit: [],
      ...shortSide(shorts, exit),
    }));
  const longs = exitsOf(collected, entry[0]).map((exit) => ({ entry: entry.map(bare), exit: exit.map(bare) }));
  if (shorts.length === 0) return longs;
  const covers = shortExitsOf({ ...collected, short_exit: covered }, shorts);
  return longs.map((long, i) => ({ ...long, ...shortSide(shorts, covers[Math.min(i, covers.length - 1)] ?? []) }));
}

function proposedSides(collected: Collected, entry: readonly PlannedRule[]): Sided[] {
  const longs = exitsOf(collected, entry[0]).map((exit) => ({ entry, exit }));
  const shorts = collected.sides === 'long' ? null : mirroredAll(entry);
  if (shorts === null) return collected.sides === 'short' ? [] : longs;
  return longs.map((long) => {
    const side = shortSide(shorts, mirroredAll(long.exit) ?? []);
    return collected.sides === 'short' ? { entry: [], exit: [], ...side } : { ...long, ...side };
  });
}

const shortSide = (entry: readonly PlannedRule[], exit: readonly PlannedRule[]) => ({
  short_entry: entry.map(bare),
  short_exit: exit.map(bare),
});

/** Target and settings of every candidate of a conversation. */
export const settingsOf = ({
  reward_factor,
  max_risk_per_trade,
  settings,
  trail,
}: Collected): Pick<StrategyConfig, 'reward_factor' | 'execution_config'> => ({
  reward_factor: reward_factor ?? REWARD_FACTOR,
  execution_config: {
    ...acting(settings),
    ...trailSettings(trail, settings),
    ...(max_risk_per_trade === null ? {} : { max_risk_per_trade }),
  },
});

/** Settings without those that act no more beside others, or are what a run has without them. */
const acting = (settings: Collected['settings']): Collected['settings'] => {
  const { target_calculation: way = 'reward' } = settings;
  const isIdle: Readonly<Record<string, boolean>> = {
    leverage: settings.leverage === 1,
    target_calculation: way === 'reward',
    target_schedule: way !== 'schedule',
    fixed_target_pct: way !== 'fixed',
  };
  return Object.fromEntries(Object.entries(settings).filter(([name]) => isIdle[name] !== true));
};

function exitsOf(
  { exit, excluded, settings }: Collected,
  trigger: PlannedRule | undefined,
): (readonly PlannedRule[])[] {
  if (exit.length > 0) return [exit];
  const opposite = trigger === undefined ? null : exitFor(bare(trigger));
  // An entry of the other side is the way out where it reverses.
  if (settings.opposite_entry === 'reverse') return [[]];
  return opposite === null || isExcluded(opposite.name, excluded) ? [[]] : [[opposite], []];
}

/** The ways out of a short: those of the user, or by the event that undoes the rule. */
function shortExitsOf({ short_exit, excluded, settings }: Collected, [trigger]: readonly PlannedRule[]) {
  if (short_exit.length > 0) return [short_exit];
  if (settings.opposite_entry === 'reverse') return [[]];
  const opposite = trigger === undefined ? null : (mirrored(trigger) ?? null);
  const isEvent =
    opposite !== null && opposite.name !== trigger?.name && requireSignal(opposite.name).type === 'TRIGGER';
  const isOther = isEvent || trigger?.params.direction !== opposite?.params.direction;
  return opposite === null || !isOther || isExcluded(opposite.name, excluded) ? [[]] : [[opposite], []];
}

/** The time, as the names of candidates have it. */
export const stampOf = (ms: number): string => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '');

const bare = ({ name, signal_type, timeframe, params }: PlannedRule): PlannedRule => ({
  ...{ name, signal_type, timeframe, params },
});
