import { findSignal, requireSignal } from '../../../engine/index.js';
import type { PlannedRule, StrategyConfig } from '../candidate.js';
import type { Collected, Proposal, ProposedRule } from '../mind.js';
import { isExcluded } from './propose.js';

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

/**
 * The candidates of a conversation. Rules that the user named are exactly these rules: without an
 * exit of the user's own, one candidate leaves by stop and target, and one by the opposite event
 * too. Else every trigger meets every filter, so that all fit the strict rule of composition.
 */
export function assemble(collected: Collected, { triggers, filters }: Proposal, stamp: string): StrategyConfig[] {
  const isNamed = collected.entry.length > 0;
  const entries = isNamed
    ? [[...triggers, ...filters]]
    : triggers.flatMap((trigger) => filters.map((filter) => [trigger, filter]));
  const rules = entries.flatMap((entry) =>
    exitsOf(collected, entry[0]).map((exit) => ({ entry: entry.map(bare), exit })),
  );
  return rules.slice(0, Math.min(collected.count ?? CANDIDATES_MAX, CANDIDATES_MAX)).map(({ entry, exit }, place) => ({
    name: `${collected.asset ?? ''} ${entry[0]?.name ?? ''} ${place + 1} ${stamp}`.trim(),
    asset: collected.asset ?? '',
    entry,
    exit,
    ...settingsOf(collected),
  }));
}

/** Target and settings of every candidate of a conversation. */
export const settingsOf = ({
  reward_factor,
  max_risk_per_trade,
  settings,
}: Collected): Pick<StrategyConfig, 'reward_factor' | 'execution_config'> => ({
  reward_factor: reward_factor ?? REWARD_FACTOR,
  execution_config: { ...settings, ...(max_risk_per_trade === null ? {} : { max_risk_per_trade }) },
});

function exitsOf({ exit, excluded }: Collected, trigger: ProposedRule | undefined): (readonly PlannedRule[])[] {
  if (exit.length > 0) return [exit];
  const opposite = trigger === undefined ? null : exitFor(bare(trigger));
  return opposite === null || isExcluded(opposite.name, excluded) ? [[]] : [[opposite], []];
}

/** The time, as the names of candidates have it. */
export const stampOf = (ms: number): string => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '');

const bare = ({ name, signal_type, timeframe, params }: ProposedRule): PlannedRule => ({
  ...{ name, signal_type, timeframe, params },
});
