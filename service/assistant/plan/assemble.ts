import { findSignal, requireSignal } from '../../../engine/signals/index.js';
import type { Proposal } from '../working.js';
import { executionSettings } from './apply.js';
import type { PlannedRule, Role, StrategyConfig } from './candidate.js';
import { CANDIDATES_MAX } from './change.js';
import { isNamed, type Plan } from './plan.js';

const REWARD_FACTOR = 2;

const opposites: readonly (readonly [RegExp, string])[] = [
  [/_up\b/, '_down'],
  [/bullish/, 'bearish'],
  [/upper/, 'lower'],
  [/positive/, 'negative'],
];

/** The event that undoes a trigger; null where the registry has none. */
function exitFor(trigger: PlannedRule): PlannedRule | null {
  if (trigger.name === 'formula') return null;
  const signal = requireSignal(trigger.name);
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
 * The candidates of a plan. Rules that the user named run exactly as they are. Without them, every
 * trigger of the proposal meets every filter, once with the event that undoes it as its exit and once
 * with the stop and the target alone.
 */
export function assemble(plan: Plan, { triggers, filters }: Proposal, nowMs: number): StrategyConfig[] {
  const { entry, exit, short_entry, short_exit } = plan;
  const isShort = short_entry.length > 0;
  const sides: Pick<StrategyConfig, Role>[] = isNamed(plan)
    ? [{ entry, exit, ...(isShort ? { short_entry, short_exit } : {}) }]
    : triggers.flatMap((trigger) =>
        filters.flatMap((filter) =>
          candidateExits(plan, trigger).map((out) => ({ entry: [trigger, filter], exit: out })),
        ),
      );
  const { reward_factor, ...execution_config } = executionSettings(plan);
  const stamp = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  return sides.slice(0, plan.count ?? CANDIDATES_MAX).map((rules, place) => ({
    name: [plan.asset ?? '', (rules.entry[0] ?? rules.short_entry?.[0])?.name ?? '', place + 1, stamp].join(' ').trim(),
    asset: plan.asset ?? '',
    ...Object.fromEntries(Object.entries(rules).map(([role, list]) => [role, list.map(bare)])),
    ...{ entry: rules.entry.map(bare), exit: rules.exit.map(bare) },
    reward_factor: Number(reward_factor ?? REWARD_FACTOR),
    execution_config,
  }));
}

function candidateExits({ exit }: Plan, trigger: PlannedRule): (readonly PlannedRule[])[] {
  if (exit.length > 0) return [exit];
  const opposite = exitFor(trigger);
  return opposite === null ? [[]] : [[opposite], []];
}

const bare = ({ name, signal_type, timeframe, params }: PlannedRule): PlannedRule => ({
  ...{ name, signal_type, timeframe, params },
});
