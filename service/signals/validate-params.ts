import { EngineError, isRecord, quote } from '../../engine/errors.js';
import { legacyParamNames, paramsFor, resolveParams } from '../../engine/indicators/index.js';
import { nearestName } from '../../engine/nearest.js';
import type { Signal } from '../../engine/signals/index.js';
import { requireFields } from '../api-error.js';
import { signalNamed } from './records.js';

/** No signal has this many parameters; the names in a longer list are not checked. */
export const PARAMETERS_MAX = 50;

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
