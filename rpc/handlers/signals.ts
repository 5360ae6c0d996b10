import type { Caller } from '../../service/caller.js';
import {
  evaluateMultipleSeries,
  getSignal,
  type LoadBars,
  listSignals,
  matchSignals,
  searchSignals,
  type UsageCounts,
} from '../../service/signals/index.js';
import type { HandlersOf } from '../calls.js';
import { pureHandlers } from '../pure-handlers.js';

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
  'Signals.Evaluate': async (request) => pureHandlers['Signals.Evaluate'](request),
  'Signals.EvaluateScoped': async (request) => pureHandlers['Signals.EvaluateScoped'](request),
  'Signals.EvaluateMultipleSeries': (request) => evaluateMultipleSeries(request, loadBars),
  'Signals.ValidateParams': async (request) => pureHandlers['Signals.ValidateParams'](request),
  'Signals.Validate': async (request) => pureHandlers['Signals.Validate'](request),
});
