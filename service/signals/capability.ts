import type { LoadBars } from '../../research/index.js';
import type { Caller } from '../caller.js';
import type { UseCasesOf } from '../use-cases.js';
import { evaluateMultipleSeries } from './evaluate-series.js';
import { evaluateSuppliedBars } from './evaluate-signal.js';
import { listSignals, searchSignals } from './list-signals.js';
import { matchSignals } from './match-signals.js';
import { getSignal, type UsageCounts } from './records.js';
import { validateSignalCode } from './validate-code.js';
import { validateSignalParams } from './validate-params.js';

interface SignalParts {
  readonly loadBars: LoadBars;
  /** How many strategies of the caller use each signal. */
  readonly usageOf: (caller: Caller) => Promise<UsageCounts>;
}

export const signalMethods = ({ loadBars, usageOf }: SignalParts): UseCasesOf<'Signals'> => ({
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
