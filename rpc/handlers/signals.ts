import type { Caller } from '../../service/caller.js';
import {
  type EvaluateSeriesRequest,
  type EvaluateSignalRequest,
  evaluateMultipleSeries,
  evaluateSuppliedBars,
  getSignal,
  type ListSignalsRequest,
  type LoadBars,
  listSignals,
  type MatchSignalsRequest,
  matchSignals,
  type SearchSignalsRequest,
  searchSignals,
  type UsageCounts,
  type ValidateCodeRequest,
  type ValidateParamsRequest,
  validateSignalCode,
  validateSignalParams,
} from '../../service/signals/index.js';
import type { Handlers } from '../calls.js';

export interface SignalParts {
  readonly loadBars: LoadBars;
  /** How often a caller's strategies use each signal. */
  readonly usageOf: (caller: Caller) => Promise<UsageCounts>;
}

type Named = { readonly signal_name: string };

export const signalHandlers = ({ loadBars, usageOf }: SignalParts): Handlers => ({
  'Signals.List': async (request: ListSignalsRequest, { caller }) => listSignals(request, await usageOf(caller)),
  'Signals.Get': async (request: Named, { caller }) => getSignal(request, await usageOf(caller)),
  'Signals.Search': async (request: SearchSignalsRequest, { caller }) => searchSignals(request, await usageOf(caller)),
  'Signals.Match': async (request: MatchSignalsRequest) => matchSignals(request),
  'Signals.Evaluate': async (request: EvaluateSignalRequest) => evaluateSuppliedBars(request),
  'Signals.EvaluateScoped': async (request: EvaluateSignalRequest) => evaluateSuppliedBars(request),
  'Signals.EvaluateMultipleSeries': (request: EvaluateSeriesRequest) => evaluateMultipleSeries(request, loadBars),
  'Signals.ValidateParams': async (request: ValidateParamsRequest) => validateSignalParams(request),
  'Signals.Validate': async (request: ValidateCodeRequest) => validateSignalCode(request),
});
