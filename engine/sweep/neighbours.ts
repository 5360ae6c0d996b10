import type { RuleChoice, SideRules } from './choice-space.js';
import type { SweepDefinition } from './definition.js';
import type { SweepRun } from './run.js';

/**
 * The configurations that differ from a run in one swept parameter or setting, by one step. A plan
 * that draws from its space need not contain all of them.
 */
export function neighboursOf(run: SweepRun, { variants }: SweepDefinition): SweepRun[] {
  const changed = (rules: readonly RuleChoice[]): RuleChoice[][] =>
    rules.flatMap((rule, i) =>
      rule.space.neighbours(rule.combination).map((other) => rules.with(i, { ...rule, combination: other })),
    );
  const ofShort = ({ entry, exit }: SideRules): SideRules[] => [
    ...changed(entry).map((other) => ({ entry: other, exit })),
    ...changed(exit).map((other) => ({ entry, exit: other })),
  ];
  return [
    ...changed(run.entry).map((entry) => ({ ...run, entry })),
    ...changed(run.exit).map((exit) => ({ ...run, exit })),
    ...(run.short === undefined ? [] : ofShort(run.short)).map((short) => ({ ...run, short })),
    ...variants.neighbours(run.variant).map((variant) => ({ ...run, variant })),
  ];
}
