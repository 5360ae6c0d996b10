import { EngineError, isRecord, wrongField } from '../engine/errors.js';
import { Frame, type ParamValues, resolveParams } from '../engine/indicators/index.js';
import { type BarSeries, bitIndices } from '../engine/series/index.js';
import { columnsBeside, requireSignal, signalMask } from '../engine/signals/index.js';

interface SignalAnswer {
  readonly name: string;
  /** All parameters, defaults included. */
  readonly params: ParamValues;
  /** Indices, from 0, of the bars on which the signal is true. */
  readonly bars: readonly number[];
  /** Why the signal can never be true on these bars; absent otherwise. */
  readonly note?: string;
}

/**
 * Evaluates `[{name, params?}]` over a series. The value at a bar reads only bars up to it.
 * @throws EngineError with a message that begins with the place of the invalid request
 */
export function evaluateSignals(json: unknown, bars: BarSeries): SignalAnswer[] {
  if (!Array.isArray(json)) {
    throw wrongField('requests', 'an array of {name, params}', json);
  }
  const frame = Frame.of(bars);
  const requests = json.map((request, i) => readRequest(request, `requests[${i}]`));
  return requests.map(({ signal, params }) => {
    const answer = { name: signal.name, params };
    const column = columnsBeside(signal, params).find((name) => !frame.has(name));
    if (column !== undefined) return { ...answer, bars: [], note: `the data has no column ${column}` };
    return { ...answer, bars: bitIndices(signalMask(signal, params, frame)) };
  });
}

function readRequest(request: unknown, place: string) {
  if (!isRecord(request)) {
    throw wrongField(place, 'an object {name, params}', request);
  }
  const { name, params } = request;
  if (name === undefined || name === null) {
    throw new EngineError('MISSING_FIELD', `${place}.name is required`, { field: 'name' });
  }
  try {
    const signal = requireSignal(name);
    return { signal, params: resolveParams(signal, params) };
  } catch (error) {
    if (error instanceof EngineError) throw new EngineError(error.code, `${place}: ${error.message}`, error.details);
    throw error;
  }
}
