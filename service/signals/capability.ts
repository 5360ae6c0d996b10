import { storedBarLoader } from '../../research/index.js';
import type { Caller } from '../caller.js';
import type { Capability, Foundation } from '../capability.js';
import type { StrategyStore } from '../strategies/store.js';
import { evaluateMultipleSeries } from './evaluate-series.js';
import { evaluateSuppliedBars } from './evaluate-signal.js';
import { listSignals, searchSignals } from './list-signals.js';
import { matchSignals } from './match-signals.js';
import { getSignal } from './records.js';
import { signalUsage } from './usage.js';
import { validateSignalCode } from './validate-code.js';
import { validateSignalParams } from './validate-params.js';

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
