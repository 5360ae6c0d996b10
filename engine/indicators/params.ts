import { EngineError, isRecord, quote } from '../errors.js';
import { isColumnName } from '../series/bars.js';
import { tryParseInterval } from '../series/intervals.js';

/** A parameter of a signal, as data. Without a default it is required. */
export type ParamSpec =
  | { readonly type: 'int' | 'float'; readonly min: number; readonly max: number; readonly default?: number }
  | { readonly type: 'bool'; readonly default: boolean }
  | {
      readonly type: 'str';
      readonly enum: readonly string[];
      readonly default: string;
      readonly note?: string;
    }
  /** The name of a column beside the bars. */
  | { readonly type: 'str'; readonly enum?: undefined; readonly default?: undefined; readonly note: string }
  | {
      readonly type: 'list[int]';
      readonly min: number;
      readonly max: number;
      readonly default: readonly number[];
      readonly note: string;
    }
  /** The text of a formula, from which further parameters follow. */
  | { readonly type: 'formula'; readonly default?: undefined; readonly note: string };

export type ParamSpecs = Readonly<Record<string, ParamSpec>>;

export type ParamValue = number | boolean | string | readonly number[];
export type ParamValues = Readonly<Record<string, ParamValue>>;

/** The typed parameters that a record's functions receive. */
export type ValuesOf<P extends ParamSpecs> = {
  readonly [K in keyof P]: P[K] extends { type: 'int' | 'float' }
    ? number
    : P[K] extends { type: 'bool' }
      ? boolean
      : P[K] extends { type: 'str' | 'formula' }
        ? string
        : readonly number[];
};

/** A whole number, mostly of bars. */
export const int = (min: number, max: number, defaultValue: number) =>
  ({ type: 'int', min, max, default: defaultValue }) as const;
export const float = (min: number, max: number, defaultValue: number) =>
  ({ type: 'float', min, max, default: defaultValue }) as const;
/** Strictly increasing window lengths, each within the bounds. */
export const risingList = (min: number, max: number, defaultValue: readonly number[]) => {
  const note = 'strictly increasing, at least 2 entries; min/max apply per element; not increasing -> validation error';
  return { type: 'list[int]', min, max, default: defaultValue, note } as const;
};
/** One of the listed timeframes, in any spelling. */
export const timeframe = (values: readonly string[], defaultValue: string) => {
  const note = 'also accept pandas-style spellings such as 5min, 1H, 4H, 1d, 1w (case-insensitive)';
  return { type: 'str', enum: values, default: defaultValue, note } as const;
};

/** `[a, op, b]`: parameter a compared with parameter b. */
export type Constraint = readonly [left: string, operator: '<' | '<=', right: string];

/**
 * Maps the parameter names that older clients send to the current ones. A legacy name counts if the
 * signal has the current parameter and not the legacy one; if both names are sent, the current one
 * wins.
 */
export const legacyParamNames: ReadonlyMap<string, string> = new Map([
  ['short_period', 'window_fast'],
  ['long_period', 'window_slow'],
  ['lookback', 'window'],
  ['period', 'window'],
]);

interface ParamOwner {
  readonly name: string;
  readonly params: ParamSpecs;
  readonly constraints: readonly Constraint[];
  /** The parameters, where some of them follow from the values of others. */
  readonly paramsFor?: (given: Readonly<Record<string, unknown>>) => ParamSpecs;
  readonly asFormula?: (params: ParamValues) => string;
}

/**
 * The parameters that go with these values.
 * @throws EngineError where a value from which others follow is wrong
 */
export const paramsFor = (owner: ParamOwner, given: Readonly<Record<string, unknown>>): ParamSpecs =>
  owner.paramsFor?.(given) ?? owner.params;

const malformed = (signal: string, field: string, message: string) =>
  new EngineError('INVALID_FIELD', `${signal}: ${message}`, { signal, field });

/**
 * Complete, typed parameters from what a caller sent: legacy names renamed, defaults filled in.
 * @param checkRanges false skips bounds and constraints: in the library, every formula is defined
 *   for any window >= 1
 * @throws MISSING_FIELD, INVALID_FIELD naming the parameter, its bound and the value
 */
export function resolveParams(owner: ParamOwner, given: unknown, checkRanges = true): ParamValues {
  const values = completeParams(owner, given, checkRanges);
  if (checkRanges) checkConstraints(owner, values);
  return values;
}

/** The same without the constraints between parameters. */
export function completeParams(owner: ParamOwner, given: unknown, checkRanges = true): ParamValues {
  const written = given ?? {};
  if (!isRecord(written)) throw malformed(owner.name, 'params', `params must be an object, was ${quote(given)}`);
  const sent = renameLegacy(owner, written);
  const specs = paramsFor(owner, sent);
  for (const name of Object.keys(sent)) {
    if (!Object.hasOwn(specs, name)) {
      const known = Object.keys(specs).join(', ') || 'none';
      throw malformed(owner.name, name, `unknown parameter ${quote(name)}, known are: ${known}`);
    }
  }
  const values: Record<string, ParamValue> = {};
  for (const [name, spec] of Object.entries(specs)) {
    const value = Object.hasOwn(sent, name) ? sent[name] : spec.default;
    if (value === undefined) {
      throw new EngineError('MISSING_FIELD', `${owner.name}: parameter ${name} is required`, {
        signal: owner.name,
        field: name,
      });
    }
    const problem = typeProblem(spec, value) ?? (checkRanges ? rangeProblem(spec, value as ParamValue) : null);
    if (problem !== null) {
      const message = `${name} must be ${problem}, was ${quote(value)}${formulaHint(owner, specs, sent)}`;
      throw malformed(owner.name, name, message);
    }
    values[name] = value as ParamValue;
  }
  return values;
}

/** The formula that takes numbers beyond the bounds of a signal, for its refusal. */
function formulaHint({ asFormula }: ParamOwner, specs: ParamSpecs, sent: Readonly<Record<string, unknown>>): string {
  if (asFormula === undefined) return '';
  const given = Object.entries(specs).map(
    ([name, spec]) => [name, Object.hasOwn(sent, name) ? sent[name] : spec.default] as const,
  );
  const isUsable = given.every(([name, value]) => {
    const { type } = specs[name];
    return type === 'str' ? typeof value === 'string' : Number.isFinite(value) && Number(value) > 0;
  });
  if (!isUsable) return '';
  const formula = asFormula(Object.fromEntries(given) as ParamValues);
  return `; the signal "formula" takes it as "when": ${JSON.stringify(formula)}`;
}

export function renameLegacy(owner: ParamOwner, given: Record<string, unknown>): Record<string, unknown> {
  const sent = { ...given };
  for (const [legacy, name] of legacyParamNames) {
    if (!Object.hasOwn(sent, legacy) || Object.hasOwn(owner.params, legacy) || !Object.hasOwn(owner.params, name))
      continue;
    if (!Object.hasOwn(sent, name)) sent[name] = sent[legacy];
    delete sent[legacy];
  }
  return sent;
}

function typeProblem(spec: ParamSpec, value: unknown): string | null {
  switch (spec.type) {
    case 'int':
      return Number.isSafeInteger(value) ? null : `a whole number ${spec.min}..${spec.max}`;
    case 'float':
      return Number.isFinite(value) ? null : `a finite number ${spec.min}..${spec.max}`;
    case 'bool':
      return typeof value === 'boolean' ? null : 'true or false';
    case 'str':
      return typeof value === 'string' ? null : textRule(spec);
    case 'formula':
      return typeof value === 'string' ? null : `a ${spec.note}`;
    case 'list[int]':
      return Array.isArray(value) && value.length >= 2 && value.every(Number.isSafeInteger)
        ? null
        : `a list of at least 2 whole numbers ${spec.min}..${spec.max}`;
  }
}

const textRule = (spec: ParamSpec & { type: 'str' }): string =>
  spec.enum === undefined ? `a ${spec.note}` : `one of ${spec.enum.join(', ')}`;

function rangeProblem(spec: ParamSpec, value: ParamValue): string | null {
  switch (spec.type) {
    case 'int':
    case 'float':
      return (value as number) >= spec.min && (value as number) <= spec.max ? null : `${spec.min}..${spec.max}`;
    case 'bool':
    case 'formula':
      return null;
    case 'str': {
      if (spec.enum === undefined) return isColumnName(value as string) ? null : textRule(spec);
      // Timeframes compare by length, so that every spelling matches; other texts ignore case.
      const meaning = (text: string) => tryParseInterval(text) ?? text.toLowerCase();
      const meant = meaning(value as string);
      return spec.enum.some((allowed) => meaning(allowed) === meant) ? null : textRule(spec);
    }
    case 'list[int]': {
      const list = value as readonly number[];
      const isRising = list.every((entry, i) => i === 0 || entry > list[i - 1]);
      const inRange = list.every((entry) => entry >= spec.min && entry <= spec.max);
      return isRising && inRange ? null : `strictly increasing whole numbers ${spec.min}..${spec.max}`;
    }
  }
}

function checkConstraints({ name, constraints }: ParamOwner, values: ParamValues): void {
  for (const [left, operator, right] of constraints) {
    const a = values[left] as number;
    const b = values[right] as number;
    if (operator === '<' ? a < b : a <= b) continue;
    throw malformed(name, left, `${left} must be ${operator} ${right}, was ${a} against ${b}`);
  }
}
