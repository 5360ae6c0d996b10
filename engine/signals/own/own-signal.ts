import { canonicalJson } from '../../canonical-json.js';
import { EngineError, errorMessage, isRecord, mustBe, quote } from '../../errors.js';
import { columnOf, defineKernel, source } from '../../indicators/column.js';
import {
  type ParamSpec,
  type ParamSpecs,
  type ParamValues,
  resolveParams,
  type ValuesOf,
} from '../../indicators/params.js';
import { type BarSeries, COLUMN_NAME_RULE, isColumnName, priceColumns } from '../../series/bars.js';
import { isoTime } from '../../series/time.js';
import { above } from '../condition.js';
import { findSignal } from '../registry.js';
import { defineSignal, type Signal } from '../signal.js';

/**
 * The bars that a signal of one's own reads: columns of equal length, oldest first. They are
 * copies, so writing to them changes nothing else. Times are open times in epoch ms UTC; a value of
 * a bar is known at its close, and a cell without a value is NaN.
 */
export type SignalBars = Omit<BarSeries, 'intervalMs' | 'carried'>;

/** A parameter: its type, its bounds, its default. Every default must lie within the bounds. */
export type SignalParam =
  | { readonly type: 'int' | 'float'; readonly min: number; readonly max: number; readonly default: number }
  | { readonly type: 'bool'; readonly default: boolean }
  | { readonly type: 'str'; readonly enum: readonly string[]; readonly default: string };

export type SignalParams = Readonly<Record<string, SignalParam>>;

export interface SignalDefinition<P extends SignalParams> {
  /** A letter, then letters, digits and underscores; not the name of a built-in signal. */
  readonly name: string;
  /**
   * TRIGGER: an event, true on the bar where it happens. FILTER: a state, true while it lasts.
   * `any` fits both.
   */
  readonly role: 'TRIGGER' | 'FILTER' | 'any';
  readonly description?: string;
  readonly params?: P;
  /** Columns beside the bars that `compute` reads, by name. */
  readonly columns?: readonly string[];
  /** Bars needed before the answer can be true: a whole number, or a function of the parameters. */
  readonly warmup: number | ((params: ValuesOf<P>) => number);
  /**
   * One answer per bar, true or false. The answer at bar t may read bars 0..t only; the audit looks
   * for one that reads more. It is called with the bars so far, any number of times, in any thread,
   * so it must depend on its arguments alone.
   */
  readonly compute: (bars: SignalBars, params: ValuesOf<P>) => Answers;
}

/** A signal that `defineSignal` has checked. */
export interface OwnSignal extends Signal {
  readonly own: true;
  /** Text of the functions, by which records of runs tell versions apart. */
  readonly text: string;
}

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
const WARMUP_MAX = 100_000;
const PARAMS_MAX = 16;

/**
 * Checks the definition of a signal and completes it.
 * @throws EngineError INVALID_FIELD or MISSING_FIELD that names the signal and the field
 */
export function defineOwnSignal<const P extends SignalParams = Record<never, SignalParam>>(
  definition: SignalDefinition<P>,
): OwnSignal {
  const { name, role, description = '', params = {} as P, columns = [], warmup, compute } = definition;
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw wrong('name', 'a letter, then up to 63 letters, digits and underscores', name);
  }
  if (findSignal(name) !== undefined) throw wrong('name', 'the name of no built-in signal', name);
  const at = (field: string) => `${name}: ${field}`;
  if (role !== 'TRIGGER' && role !== 'FILTER' && role !== 'any') {
    throw wrong(at('role'), 'TRIGGER, FILTER or any', role);
  }
  if (typeof description !== 'string') throw wrong(at('description'), 'a text', description);
  checkParams(name, params);
  if (!Array.isArray(columns)) throw wrong(at('columns'), 'a list of names', columns);
  for (const column of columns) {
    if (!isColumnName(column)) throw wrong(at('columns'), `names of columns: ${COLUMN_NAME_RULE}`, column);
  }
  if (typeof compute !== 'function') throw wrong(at('compute'), 'a function', compute);
  const minBars = (values: ParamValues): number => {
    const bars: unknown = typeof warmup === 'function' ? warmup(values as ValuesOf<P>) : warmup;
    if (Number.isInteger(bars) && Number(bars) >= 0 && Number(bars) <= WARMUP_MAX) return Math.max(1, Number(bars));
    throw wrong(at('warmup'), `a whole number of bars 0..${WARMUP_MAX}`, bars);
  };
  const specs: ParamSpecs = params;
  const signal = defineSignal({
    name,
    category: 'user',
    type: role === 'any' ? 'FILTER' : role,
    ...(role === 'any' ? { fitsAnyRole: true } : {}),
    family: 'none',
    bias: 'neutral',
    requires: [],
    params: specs,
    indicators: [],
    description,
    definition: 'in code',
    minBars,
    sources: () => columns,
    condition: (values) => above(answers(name, columns, values, compute as Compute), 0),
  });
  minBars(resolveParams(signal, {})); // a wrong default or warm-up is found here and not in a run
  return Object.freeze({ ...signal, own: true, text: `${String(warmup)}; ${String(compute)}` });
}

type Compute = (bars: SignalBars, params: ParamValues) => unknown;

/** The answers as a column of 0 and 1. Its key names the parameters, so equal rules share it. */
function answers(name: string, columns: readonly string[], values: ParamValues, compute: Compute) {
  const names = ['time', ...priceColumns, ...columns];
  const kernel = defineKernel(`own signal ${name} ${canonicalJson(values)}`, null, (inputs, _, [out]) => {
    // The room of the inputs is used again after the run.
    const copies = inputs.map((input) => input.slice());
    const [time, open, high, low, close, volume] = copies;
    const beside = Object.fromEntries(columns.map((column, i) => [column, copies[i + 6]]));
    const bars: SignalBars = { barCount: out.length, time, open, high, low, close, volume, columns: beside };
    writeAnswers(name, () => compute(bars, values), inputs[0], out);
  });
  return columnOf(kernel, names.map(source));
}

function checkParams(signal: string, params: unknown): void {
  if (!isRecord(params)) {
    throw wrong(`${signal}: params`, 'an object of {type, min, max, default}', params);
  }
  const entries = Object.entries(params);
  if (entries.length > PARAMS_MAX) {
    throw wrong(`${signal}: params`, `at most ${PARAMS_MAX} parameters`, entries.length);
  }
  for (const [name, spec] of entries) {
    if (!NAME.test(name)) throw wrong(`${signal}: params`, 'named by letters, digits and underscores', name);
    checkParam(`${signal}: params.${name}`, spec);
  }
}

function checkParam(place: string, spec: unknown): asserts spec is ParamSpec {
  const { type, min, max, enum: values } = (spec ?? {}) as Readonly<Record<string, unknown>>;
  switch (type) {
    case 'int':
    case 'float': {
      const isBound = type === 'int' ? Number.isSafeInteger : Number.isFinite;
      if (!isBound(min) || !isBound(max) || Number(min) > Number(max)) {
        throw wrong(place, `bounded: min and max must be ${type} values, min at most max`, spec);
      }
      break;
    }
    case 'str':
      if (!Array.isArray(values) || values.length === 0 || !values.every((value) => typeof value === 'string')) {
        throw wrong(`${place}.enum`, 'a list of texts', values);
      }
      break;
    case 'bool':
      break;
    default:
      throw wrong(`${place}.type`, 'int, float, bool or str', type);
  }
  if ((spec as Readonly<Record<string, unknown>>).default === undefined) {
    throw new EngineError('MISSING_FIELD', `signal ${place}.default is required`, { field: `${place}.default` });
  }
}

const wrong = (field: string, bound: string, value: unknown): EngineError =>
  new EngineError(value === undefined ? 'MISSING_FIELD' : 'INVALID_FIELD', `signal ${mustBe(field, bound, value)}`, {
    field,
  });

/**
 * The values as signals of one's own.
 * @param from where they come from, for messages
 * @throws INVALID_FIELD for a value that is no such signal, CONFLICT for a name that comes twice
 */
export function checkOwnSignals(given: readonly unknown[], from: string): OwnSignal[] {
  const names = new Set<string>();
  return given.map((one) => {
    if (!isOwnSignal(one)) {
      throw new EngineError('INVALID_FIELD', `${from} must hold signals made with defineSignal, holds ${quote(one)}`);
    }
    if (names.has(one.name)) throw new EngineError('CONFLICT', `${from} has two signals named ${one.name}`);
    names.add(one.name);
    return one;
  });
}

const isOwnSignal = (value: unknown): value is OwnSignal =>
  typeof value === 'object' && value !== null && (value as { own?: unknown }).own === true && 'condition' in value;

/** What a signal of one's own may return: one answer per bar. */
export type Answers = ArrayLike<boolean | number>;

const failed = (signal: string, message: string, details: object = {}): EngineError =>
  new EngineError('INVALID_DATA', `signal ${signal}: ${message}`, { signal, ...details });

const isAnswers = (value: unknown): value is Answers =>
  typeof value === 'object' && value !== null && Number.isInteger((value as { length?: unknown }).length);

/**
 * Writes the answers of `compute` as 0 and 1.
 * @throws INVALID_DATA naming the signal, and the bar where one is at fault
 */
function writeAnswers(signal: string, compute: () => unknown, time: Float64Array, out: Float64Array): void {
  let answers: unknown;
  try {
    answers = compute();
  } catch (error) {
    const reason = errorMessage(error);
    throw failed(signal, `compute failed over ${out.length} bars: ${reason}`);
  }
  if (!isAnswers(answers)) {
    const promise = answers instanceof Promise ? ', and not asynchronous' : '';
    throw failed(signal, `compute must return one answer per bar${promise}, returned ${quote(answers)}`);
  }
  if (answers.length !== out.length) {
    throw failed(signal, `compute must return ${out.length} answers, one per bar, returned ${answers.length}`);
  }
  for (let t = 0; t < out.length; t++) {
    const answer = answers[t];
    if (answer === true || answer === 1) out[t] = 1;
    else if (answer === false || answer === 0) out[t] = 0;
    else {
      const text = typeof answer === 'number' ? String(answer) : quote(answer);
      throw failed(signal, `an answer must be true or false (1 or 0), was ${text} at bar ${t} (${isoTime(time[t])})`, {
        bar: t,
      });
    }
  }
}
