import { EngineError, quote } from '../../engine/errors.js';
import { type ExecutionConfig, fullConfig, usedPositionFields } from '../../engine/execution/index.js';
import type { StrategyDefinition } from '../../engine/strategy/index.js';

/**
 * What a bot can do beyond buying and selling at the market, each with the events that need it:
 * `enter_long` and `enter_short` open and close that side, `limit` and `stop` place and cancel such
 * entry orders, `move_levels` replaces stop and target of an open position, `scale_out` sells parts,
 * `leverage` trades on margin.
 */
const skills = ['enter_long', 'enter_short', 'limit', 'stop', 'move_levels', 'scale_out', 'leverage'] as const;
export type LiveSkill = (typeof skills)[number];

/** The skills that a strategy needs, with the fields that ask for each. */
function needs(strategy: StrategyDefinition, given: ExecutionConfig): Map<LiveSkill, string[]> {
  const config = fullConfig(given);
  const found = new Map<LiveSkill, string[]>();
  const need = (skill: LiveSkill, field: string, isNeeded: boolean) => {
    if (isNeeded) found.set(skill, [...(found.get(skill) ?? []), field]);
  };
  need('enter_long', 'entry', strategy.entry.length > 0);
  need('enter_short', 'short_entry', strategy.shortEntry !== undefined);
  need('limit', 'entry_order', config.entry_order === 'limit');
  need('limit', 'target_order', config.target_order === 'limit');
  need('stop', 'entry_order', config.entry_order === 'stop');
  const used = usedPositionFields(given);
  for (const field of ['trailing_distance', 'break_even_at', 'target_schedule'] as const) {
    need('move_levels', field, used.includes(field));
  }
  need('scale_out', 'scale_out', config.scale_out !== null);
  need('leverage', 'leverage', config.leverage !== 1);
  return found;
}

/**
 * Refuses a strategy that needs more than a bot says it knows.
 * @throws EngineError INVALID_FIELD that names each missing skill and the fields that ask for it
 */
export function checkSkills(knows: unknown, strategy: StrategyDefinition, config: ExecutionConfig): void {
  if (knows === undefined) return;
  const isList = Array.isArray(knows) && knows.every((one) => skills.includes(one as LiveSkill));
  if (!isList) {
    const message = `knows must be a list of ${skills.join(', ')}, was ${quote(knows)}`;
    throw new EngineError('INVALID_FIELD', message, { field: 'knows' });
  }
  const missing = [...needs(strategy, config)].filter(([skill]) => !knows.includes(skill));
  if (missing.length === 0) return;
  const listed = missing.map(([skill, fields]) => `${skill} (${fields.join(', ')})`).join(', ');
  const known = knows.length === 0 ? 'nothing' : knows.join(', ');
  throw new EngineError('INVALID_FIELD', `knows must have all that the strategy needs: ${listed}; it has ${known}`, {
    field: 'knows',
    fields: missing.flatMap(([, fields]) => fields),
  });
}
