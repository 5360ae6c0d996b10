import type { ParamSpec } from '../../engine/indicators/index.js';
import { findSignal, type Signal, type SignalCategory, type SignalType, signals } from '../../engine/signals/index.js';
import { notFound, wrongValue } from '../api-error.js';

/** A parameter as lists show it. */
interface ParamRecord {
  readonly type: 'int' | 'float' | 'bool' | 'str';
  readonly min?: number;
  readonly max?: number;
  readonly default?: unknown;
  readonly optional: boolean;
  readonly description?: string;
}

/** A signal as lists show it. */
export interface SignalRecord {
  readonly name: string;
  readonly category: SignalCategory;
  readonly type: SignalType;
  /** The same as `type`. */
  readonly signal_type: SignalType;
  readonly metadata: {
    readonly rule_name: string;
    readonly description: string;
    readonly requires: readonly string[];
    readonly type: SignalType;
    readonly params: Readonly<Record<string, ParamRecord>>;
  };
  /** Always null: signals are built in, so there is no code to show. */
  readonly code: null;
  readonly usage_count: number;
}

/** Number of stored strategies that use a signal. */
export type UsageCounts = (name: string) => number;

const uncounted: UsageCounts = () => 0;

/** Every signal in the order of lists, which is by name. */
export const signalsByName: readonly Signal[] = [...signals].sort((a, b) => (a.name < b.name ? -1 : 1));

export function signalRecord(signal: Signal, usageOf: UsageCounts = uncounted): SignalRecord {
  const { name, category, type, description, requires } = signal;
  const params = Object.fromEntries(
    Object.entries(signal.params).map(([param, spec]) => [param, paramRecord(spec, constraintsOn(signal, param))]),
  );
  return {
    name,
    category,
    type,
    signal_type: type,
    metadata: { rule_name: name, description, requires: [...requires], type, params },
    code: null,
    usage_count: usageOf(name),
  };
}

const constraintsOn = ({ constraints }: Signal, param: string): string[] =>
  constraints.filter(([left]) => left === param).map(([, operator, right]) => `must be ${operator} ${right}`);

/**
 * Clients know four types. A list of windows is shown as `str`, since clients pass such values on
 * unchanged: its default is the list itself, which is accepted when sent back. The description
 * states the bounds of its entries.
 */
export function paramRecord(spec: ParamSpec, constraints: readonly string[]): ParamRecord {
  const optional = spec.default === undefined ? { optional: false } : { default: spec.default, optional: true };
  const described = (notes: readonly string[]) => (notes.length === 0 ? {} : { description: notes.join('; ') });
  switch (spec.type) {
    case 'int':
    case 'float':
      return { type: spec.type, min: spec.min, max: spec.max, ...optional, ...described(constraints) };
    case 'bool':
      return { type: spec.type, ...optional };
    case 'str': {
      const allowed = spec.enum === undefined ? [] : [`one of ${spec.enum.join(', ')}`];
      return {
        type: spec.type,
        ...optional,
        ...described([...allowed, ...(spec.note === undefined ? [] : [spec.note])]),
      };
    }
    case 'formula':
      return { type: 'str', ...optional, description: spec.note };
    case 'list[int]':
      return { type: 'str', ...optional, ...described([`list of whole numbers ${spec.min}..${spec.max}`, spec.note]) };
  }
}

/** @throws RESOURCE_NOT_FOUND for a text that is neither a name nor an alias */
export function signalNamed(name: unknown): Signal {
  if (typeof name !== 'string') throw invalidField('signal_name', 'a text', name);
  const signal = findSignal(name);
  if (signal === undefined) throw notFound('signal', name);
  return signal;
}

/** One signal by name or alias; an alias answers with the record of its signal. */
export const getSignal = (request: { readonly signal_name: string }, usageOf?: UsageCounts): SignalRecord =>
  signalRecord(signalNamed(request.signal_name), usageOf);

export const invalidField = wrongValue;

/** Reads a whole number; `fallback` if absent. The caller checks its bounds. */
export function wholeNumber(field: string, value: unknown, fallback: number): number {
  if (value === undefined || value === null) return fallback;
  if (!Number.isSafeInteger(value)) throw invalidField(field, 'a whole number', value);
  return value as number;
}

export function wholeNumberWithin(field: string, value: unknown, fallback: number, min: number, max: number): number {
  const number = wholeNumber(field, value, fallback);
  if (number < min || number > max) throw invalidField(field, `${min}..${max}`, number);
  return number;
}

/** Reads a text and trims it; it must not be blank. */
export function textWithin(field: string, value: unknown, charactersMax: number): string {
  if (typeof value !== 'string') throw invalidField(field, 'a text', value);
  const text = value.trim();
  if (text === '') throw invalidField(field, 'a text that is not blank', value);
  if (text.length > charactersMax) {
    throw invalidField(field, `at most ${charactersMax} characters`, `${text.length} characters`);
  }
  return text;
}
