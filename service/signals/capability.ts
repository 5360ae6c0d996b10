import { findSignal } from '../../engine/signals/index.js';
import { storedBarLoader } from '../../research/index.js';
import type { Caller } from '../caller.js';
import type { Capability, Foundation } from '../capability.js';
import type { StrategyStore } from '../strategies/store.js';
import { evaluateMultipleSeries } from './evaluate-series.js';
import { evaluateSuppliedBars } from './evaluate-signal.js';
import { listSignals, searchSignals } from './list-signals.js';
import { matchSignals } from './match-signals.js';
import { getSignal, type UsageCounts } from './records.js';
import { validateSignalCode, validateSignalParams } from './validate.js';

export function openSignals({ market }: Foundation, strategies: StrategyStore): Capability<'Signals'> {
  const loadBars = storedBarLoader(market);
  const usage = (caller: Caller) => signalUsage(strategies, caller);
  return {
    methods: {
      'Signals.List': async (request, { caller }) => listSignals(request, await usage(caller)),
      'Signals.Get': async (request, { caller }) => getSignal(request, await usage(caller)),
      'Signals.Search': async (request, { caller }) => searchSignals(request, await usage(caller)),
      'Signals.Match': async (request) => matchSignals(request),
      'Signals.Evaluate': async (request) => evaluateSuppliedBars(request),
      'Signals.EvaluateScoped': async (request) => evaluateSuppliedBars(request),
      'Signals.EvaluateMultipleSeries': (request) => evaluateMultipleSeries(request, loadBars),
      'Signals.ValidateParams': async (request) => validateSignalParams(request),
      'Signals.Validate': async (request) => validateSignalCode(request),
    },
  };
}

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
async function signalUsage(store: RuleNames, { userId }: Caller): Promise<UsageCounts> {
  const counts = new Map<string, number>();
  for (const names of await store.ruleNames(userId)) {
    const used = new Set(names.map((name) => findSignal(name)?.name ?? name));
    for (const name of used) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return (name) => counts.get(name) ?? 0;
}
