import type { Caller } from '../../service/caller.js';
import {
  evaluateMultipleSeries,
  evaluateSuppliedBars,
  getSignal,
  type LoadBars,
  listSignals,
  matchSignals,
  searchSignals,
  type UsageCounts,
  validateSignalCode,
  validateSignalParams,
} from '../../service/signals/index.js';
import type { HandlersOf } from '../calls.js';

export interface SignalParts {
  readonly loadBars: LoadBars;
  /** How many strategies of the caller use each signal. */
  readonly usageOf: (caller: Caller) => Promise<UsageCounts>;
}

export const signalHandlers = ({ loadBars, usageOf }: SignalParts): HandlersOf<'Signals'> => ({
  'Signals.List': async (request, { caller }) => listSignals(request, await usageOf(caller)),
  'Signals.Get': async (request, { caller }) => getSignal(request, await usageOf(caller)),
  'Signals.Search': async (request, { caller }) => searchSignals(request, await usageOf(caller)),
  'Signals.Match': async (request) => matchSignals(request),
  'Signals.Evaluate': async (request) => evaluateSuppliedBars(request),
  'Signals.EvaluateScoped': async (request) => evaluateSuppliedBars(request),
  'Signals.EvaluateMultipleSeries': (request) => evaluateMultipleSeries(request, loadBars),
  'Signals.ValidateParams': async (request) => validateSignalParams(request),
  'Signals.Validate': async (request) => validateSignalCode(request),
});
