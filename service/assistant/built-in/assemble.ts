import { findSignal, requireSignal } from '../../../engine/index.js';
import type { PlannedRule, StrategyConfig } from '../candidate.js';
import type { Collected, Proposal, ProposedRule } from '../mind.js';

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
 * Every trigger with every filter, with and without the opposite event as exit; stop and target
 * end the other positions. All fit the strict rule of composition.
 */
export function assemble(collected: Collected, { triggers, filters }: Proposal, stamp: string): StrategyConfig[] {
  const { asset, reward_factor, max_risk_per_trade } = collected;
  const configs: StrategyConfig[] = [];
  for (const trigger of triggers) {
    const exit = exitFor(bare(trigger));
    for (const filter of filters) {
      for (const exits of exit === null ? [[]] : [[exit], []]) {
        configs.push({
          name: `${asset ?? ''} ${trigger.name} ${configs.length + 1} ${stamp}`.trim(),
          asset: asset ?? '',
          entry: [bare(trigger), bare(filter)],
          exit: exits,
          reward_factor: reward_factor ?? REWARD_FACTOR,
          execution_config: max_risk_per_trade === null ? {} : { max_risk_per_trade },
        });
      }
    }
  }
  return configs.slice(0, CANDIDATES_MAX);
}

/** The time, as the names of candidates have it. */
export const stampOf = (ms: number): string => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '');

const bare = ({ name, signal_type, timeframe, params }: ProposedRule): PlannedRule => ({
  ...{ name, signal_type, timeframe, params },
});
