import { Script } from 'node:vm';
import { EngineError, isRecord, mustBe, quote } from '../../engine/errors.js';
import { legacyParamNames, paramsFor, resolveParams } from '../../engine/indicators/index.js';
import { nearestName } from '../../engine/nearest.js';
import { findSignal, type Signal } from '../../engine/signals/index.js';
import { clip } from '../../engine/text.js';
import { requireFields } from '../api-error.js';
import { invalidField, signalNamed } from './records.js';

export const CODE_CHARACTERS_MAX = 100_000;
const CODE_DESCRIPTION_CHARACTERS_MAX = 2_000;

interface ValidateCodeRequest {
  /** A JavaScript script; it is compiled but never run. */
  readonly code?: string | null | undefined;
  /** Specification per parameter: `{type, min?, max?, default?, optional?}`. */
  readonly params?: unknown;
  readonly description?: string | null | undefined;
  readonly rule_name?: string | null | undefined;
}

interface CodeVerdict {
  readonly valid: boolean;
  readonly syntax_valid: boolean;
  readonly metadata_valid: boolean;
  /** Not checked: submitted code is never run. */
  readonly execution_valid: null;
  readonly trades_valid: null;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Checks that submitted code is JavaScript and its metadata is valid. The code is compiled but
 * never run.
 * @throws MISSING_FIELD without code, params or description; VALIDATION_ERROR for fields of a wrong
 *   type or too long
 */
export function validateSignalCode(request: ValidateCodeRequest): CodeVerdict {
  requireFields(request, ['code', 'params', 'description']);
  const code = readText('code', request.code, CODE_CHARACTERS_MAX);
  const description = readText('description', request.description, CODE_DESCRIPTION_CHARACTERS_MAX);
  const syntax = syntaxErrors(code);
  const name = request.rule_name ?? null;
  const metadata = [
    ...(description.trim() === '' ? ['description must say what the signal does, was empty'] : []),
    ...nameErrors(name),
    ...paramErrors(request.params),
  ];
  const isNamed = typeof name !== 'string' || code.includes(name);
  return {
    valid: syntax.length === 0 && metadata.length === 0,
    syntax_valid: syntax.length === 0,
    metadata_valid: metadata.length === 0,
    execution_valid: null,
    trades_valid: null,
    errors: [...syntax, ...metadata],
    warnings: isNamed ? [] : [`code does not mention ${quote(name)}`],
  };
}

function readText(field: string, value: unknown, charactersMax: number): string {
  if (typeof value !== 'string') throw invalidField(field, 'a text', value);
  if (value.length > charactersMax) {
    throw invalidField(field, `at most ${charactersMax} characters`, `${value.length} characters`);
  }
  return value;
}

/** The start of a Python function or import, which no JavaScript has, at the start of a line. */
const PYTHON = /^(?:def \w+ ?\(|from [\w.]+ import |import \w+(?: as \w+)?$)/;

const isPython = (code: string): boolean =>
  code.split(/[\r\n\u2028\u2029]/).some((line) => {
    const words = line.trim().replace(/\s+/g, ' ');
    return PYTHON.test(words) && (!words.startsWith('def ') || words.includes(':'));
  });

function syntaxErrors(code: string): string[] {
  if (code.trim() === '') return ['code must be a JavaScript script, was empty'];
  try {
    new Script(code, { filename: 'code' });
    return [];
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    const hint = isPython(code) ? ' (this looks like Python: signals are checked as JavaScript here)' : '';
    return [`code is not valid JavaScript${errorLine(error)}: ${error.message}${hint}`];
  }
}

/** The line of an error; the compiler writes `code:LINE` above the message. */
function errorLine(error: Error): string {
  const line = /^code:(\d+)/.exec(error.stack ?? '')?.[1];
  return line === undefined ? '' : ` on line ${line}`;
}

const SNAKE_CASE = /^[a-z][a-z0-9_]{0,79}$/;

function nameErrors(name: unknown): string[] {
  if (name === null) return [];
  if (typeof name !== 'string' || !SNAKE_CASE.test(name)) {
    return [mustBe('rule_name', 'at most 80 lower-case letters, digits and underscores', name)];
  }
  return findSignal(name) === undefined ? [] : [`rule_name ${name} is the name of a built-in signal`];
}

function paramErrors(params: unknown): string[] {
  if (!isRecord(params)) return [mustBe('params', 'an object of specifications', params)];
  const entries = Object.entries(params);
  if (entries.length > PARAMETERS_MAX)
    return [`params must have at most ${PARAMETERS_MAX} entries, had ${entries.length}`];
  return entries.flatMap(([name, spec]) => specErrors(name, spec));
}

const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isOfType: Readonly<Record<string, (value: unknown) => boolean>> = {
  int: (value) => Number.isSafeInteger(value),
  float: isNumber,
  bool: (value) => typeof value === 'boolean',
  str: (value) => typeof value === 'string',
};

function specErrors(name: string, spec: unknown): string[] {
  const label = `params.${clip(name, 80)}`;
  if (!/^[A-Za-z]\w{0,79}$/.test(name)) return [`${label}: a name must consist of letters, digits and underscores`];
  if (!isRecord(spec)) return [mustBe(label, 'an object {type, min, max, default}', spec)];
  const { type, min = null, max = null, default: fallback = null } = spec;
  if (typeof type !== 'string' || !Object.hasOwn(isOfType, type)) {
    return [mustBe(`${label}.type`, `one of ${Object.keys(isOfType).join(', ')}`, type)];
  }
  const errors: string[] = [];
  for (const [field, bound] of Object.entries({ min, max })) {
    if (bound !== null && !isNumber(bound)) errors.push(mustBe(`${label}.${field}`, 'a number', bound));
  }
  if (isNumber(min) && isNumber(max) && min > max)
    errors.push(`${label}.min must be at most max, was ${min} with max ${max}`);
  if (fallback === null) return errors;
  // biome-ignore lint/style/noNonNullAssertion: a type outside the table was refused above
  if (!isOfType[type]!(fallback)) errors.push(mustBe(`${label}.default`, `of type ${type}`, fallback));
  else if ((isNumber(min) && (fallback as number) < min) || (isNumber(max) && (fallback as number) > max)) {
    errors.push(mustBe(`${label}.default`, `${quote(min)}..${quote(max)}`, fallback));
  }
  return errors;
}

/** No signal has this many parameters; the names in a longer list are not checked. */
const PARAMETERS_MAX = 50;

interface ValidateParamsRequest {
  readonly signal_name: string;
  readonly parameters?: unknown;
}

interface ParamsVerdict {
  readonly valid: boolean;
  /** All problems, each naming parameter, bound and value. */
  readonly errors: readonly string[];
  /** Accepted parameters that are read under another name, or ignored. */
  readonly warnings: readonly string[];
}

/**
 * Whether an evaluation or a strategy would accept these parameters. An unknown parameter is an
 * error, as it is there.
 */
export function validateSignalParams(request: ValidateParamsRequest): ParamsVerdict {
  const named = signalNamed(request.signal_name);
  requireFields(request, ['parameters']);
  const { parameters } = request;
  if (!isRecord(parameters)) return verdict([`parameters must be an object, was ${quote(parameters)}`]);
  const names = Object.keys(parameters);
  if (names.length > PARAMETERS_MAX) {
    return verdict([`parameters must have at most ${PARAMETERS_MAX} entries, had ${names.length}`]);
  }
  const signal = withParamsFor(named, parameters);
  if (typeof signal === 'string') return verdict([signal]);
  const each = names
    .filter((name) => !isIgnored(signal, name, names))
    .map((name) => valueProblem(signal, name, parameters[name]));
  const missing = Object.entries(signal.params)
    .filter(([name, spec]) => spec.default === undefined && !names.some((sent) => readsAs(signal, sent) === name))
    .map(([name]) => `parameter ${name} is required`);
  const errors = [...each.filter((problem) => problem !== null), ...missing];
  if (errors.length === 0) errors.push(...problems(() => resolveParams(signal, parameters)));
  return verdict(
    errors,
    names.map((name) => renaming(signal, name, names)).filter((warning) => warning !== null),
  );
}

/** The signal with the parameters that go with these values, or why there are none. */
function withParamsFor(signal: Signal, parameters: Readonly<Record<string, unknown>>): Signal | string {
  try {
    return { ...signal, params: paramsFor(signal, parameters) };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return error.message;
  }
}

const verdict = (errors: readonly string[], warnings: readonly string[] = []): ParamsVerdict => ({
  valid: errors.length === 0,
  errors,
  warnings,
});

/** The problem of one value, regardless of the others; null if it has none. */
function valueProblem(signal: Signal, sent: string, value: unknown): string | null {
  const name = readsAs(signal, sent);
  if (name === null) {
    const nearest = nearestName(sent, Object.keys(signal.params));
    const known = Object.keys(signal.params).join(', ') || 'none';
    const hint = nearest === null ? '' : `, did you mean ${nearest}?`;
    return `unknown parameter ${quote(sent)}${hint} (known: ${known})`;
  }
  // biome-ignore lint/style/noNonNullAssertion: the name was found among the parameters
  const spec = signal.params[name]!;
  const alone = { name: signal.name, params: { [name]: spec }, constraints: [] };
  return problems(() => resolveParams(alone, { [name]: value }))[0] ?? null;
}

function problems(resolve: () => void): string[] {
  try {
    resolve();
    return [];
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return [error.message];
  }
}

/** The current name of a parameter sent under its current or an older name; null if unknown. */
function readsAs({ params }: Signal, sent: string): string | null {
  if (Object.hasOwn(params, sent)) return sent;
  const current = legacyParamNames.get(sent);
  return current !== undefined && Object.hasOwn(params, current) ? current : null;
}

/**
 * Whether an older name is ignored, because the current name or another older one takes precedence.
 */
function isIgnored(signal: Signal, sent: string, names: readonly string[]): boolean {
  const name = readsAs(signal, sent);
  if (name === null || name === sent) return false;
  const taken = [name, ...legacyParamNames.keys()].find(
    (other) => readsAs(signal, other) === name && names.includes(other),
  );
  return taken !== sent;
}

function renaming(signal: Signal, sent: string, names: readonly string[]): string | null {
  const name = readsAs(signal, sent);
  if (name === null || name === sent) return null;
  return isIgnored(signal, sent, names)
    ? `${sent} is an older name of ${name} and is ignored because another name is given too`
    : `${sent} is an older name of ${name} and is read as ${name}`;
}
