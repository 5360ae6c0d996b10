import { EngineError } from '../../engine/errors.js';
import { ApiError } from '../api-error.js';
import type { Caller } from '../caller.js';
import { holdsScope } from '../identity/scopes.js';
import { asObject } from './settings.js';

/*
 * A stored strategy is read with `strategy:read` alone. A run that names it by its id therefore
 * shows a caller without that scope its figures and the id, and nothing that may quote the rules or
 * settings of the strategy.
 */

type Json = Readonly<Record<string, unknown>>;

const SCOPE = 'strategy:read';
const LINE = `not shown: it may quote a stored strategy, which needs the scope ${SCOPE}`;

/** One line in place of text, be it one or a list. */
const line = (text: unknown): unknown => (Array.isArray(text) ? text.slice(0, 1).map(() => LINE) : text && LINE);

const withoutWords = (counts: unknown): unknown => counts && { ...(counts as Json), verdict: null };

/** What stands in place of each value that may quote rules or settings; other keys are figures. */
const inPlace: Readonly<Record<string, (value: unknown) => unknown>> = {
  ...{ config: () => null, warnings: line, changes: line, error: line, error_message: line },
  denied_signals: (signals) => signals && [],
  diagnostics(value) {
    if (value === null) return value;
    const { undefined_rules: _, long, short, ...counts } = value as Json;
    return { ...counts, verdict: null, long: withoutWords(long), short: withoutWords(short) };
  },
  facts(value) {
    if (value === null) return value;
    const { members, ...facts } = value as { readonly members: readonly object[] };
    return { ...facts, members: members.map((member) => ({ ...member, settings: {} })), first_values: [] };
  },
};

/**
 * Whether a caller may not read the rules of a run.
 * @param isStored whether the run names a stored strategy by its id
 */
export const withholdsRules = (caller: Caller, isStored: boolean): boolean => isStored && !holdsScope(caller, SCOPE);

/** The answer about a run, as its caller may see it. */
export function asSeen<Answer extends object>(caller: Caller, isStored: boolean, answer: Answer): Answer {
  if (!withholdsRules(caller, isStored)) return answer;
  const shown = Object.entries(answer).map(([key, value]) => {
    const replace = inPlace[key];
    return [key, replace === undefined ? value : replace(value)];
  });
  return Object.fromEntries(shown);
}

/**
 * The failure of a run, as its caller may see it. What the engine refuses may quote rules, unless it
 * is about a field of the request, or its window.
 */
export function failureSeen(caller: Caller, isStored: boolean, request: Json, error: unknown): unknown {
  if (!(error instanceof EngineError && withholdsRules(caller, isStored))) return error;
  const { code, details } = error;
  const field = String(details.field);
  const isOfRequest = field in request || field in asObject('execution_config', request.execution_config);
  if (isOfRequest || code === 'EMPTY_WINDOW' || code === 'CONFLICT') return error;
  return new ApiError('VALIDATION_ERROR', `the strategy cannot run so; why is ${LINE}`, { field: 'strategy_id' });
}

/** @throws INSUFFICIENT_PERMISSIONS for what consists of rules */
export function requireRules(caller: Caller, isStored: boolean): void {
  if (!withholdsRules(caller, isStored)) return;
  const message = `Missing required scope: ${SCOPE}, since the run names a stored strategy`;
  throw new ApiError('INSUFFICIENT_PERMISSIONS', message, { scope: SCOPE });
}
