import { findSignal } from '../../engine/signals/index.js';
import type { Caller } from '../caller.js';
import type { UsageCounts } from './records.js';

/** Where strategies are stored. */
interface RuleNames {
  /**
   * For each strategy of a user, the signal names in its rules as written, which may be aliases.
   */
  ruleNames(userId: string): Promise<readonly (readonly string[])[]>;
}

/**
 * How many stored strategies of the caller use each signal, by any of its names; archived ones
 * count too.
 */
export async function signalUsage(store: RuleNames, { userId }: Caller): Promise<UsageCounts> {
  const counts = new Map<string, number>();
  for (const names of await store.ruleNames(userId)) {
    const used = new Set(names.map((name) => findSignal(name)?.name ?? name));
    for (const name of used) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return (name) => counts.get(name) ?? 0;
}
