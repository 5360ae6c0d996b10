import { type Access, endpointOf, type MethodName, methodNames } from '../../contract/index.js';
import { quote } from '../../engine/errors.js';
import { nearestName } from '../../engine/nearest.js';
import { ApiError } from '../api-error.js';
import type { Caller, Role } from '../caller.js';
import { namedShort, noCredential } from './refusals.js';

/** Every scope that grants something, in alphabetical order. */
export const scopes: readonly string[] = [
  ...new Set(methodNames.map((method) => endpointOf(method).access).filter((access) => access.includes(':'))),
].sort();

const isRead = (scope: string): boolean => scope.endsWith(':read');

interface MintedScopes {
  readonly scopes: readonly string[];
  /** Scopes that were asked for but exceed the role. */
  readonly withheld: readonly string[];
  /** One clause for each kept scope that grants nothing. */
  readonly warnings: readonly string[];
}

/**
 * The scopes that a new key gets: those asked for, without repetition. A viewer gets only reading
 * ones. Unknown scopes are kept, grant nothing and are named in warnings.
 * @throws ApiError INSUFFICIENT_PERMISSIONS if none of the requested scopes remain, since an empty
 *   list would grant everything
 */
export function mintedScopes(asked: readonly string[], role: Role): MintedScopes {
  const once = [...new Set(asked)];
  const scopes = once.filter((scope) => role !== 'viewer' || isRead(scope));
  const withheld = once.filter((scope) => !scopes.includes(scope));
  if (scopes.length > 0 || withheld.length === 0) return { scopes, withheld, warnings: deadScopes(scopes) };
  const message = `The role ${role} may have only reading scopes, asked for: ${namedShort(withheld)}`;
  throw new ApiError('INSUFFICIENT_PERMISSIONS', message, { role });
}

function deadScopes(asked: readonly string[]): string[] {
  return asked
    .filter((scope) => !scopes.includes(scope))
    .map((scope) => {
      const meant = nearestScope(scope);
      return `scopes: ${quote(scope)} is no scope and grants nothing${meant === null ? '' : `, did you mean ${meant}?`}`;
    });
}

/** Each half is looked for by itself, in either order: others write read:strategies. */
function nearestScope(scope: string): string | null {
  const halves = scope.split(':', 2);
  for (const [of = '', right = ''] of [halves, halves.toReversed()]) {
    const subject = nearestName(of, new Set(scopes.map((each) => each.split(':')[0] ?? '')));
    const rights = scopes
      .filter((each) => each.startsWith(`${subject}:`))
      .map((each) => each.slice(`${subject}:`.length));
    const nearest = subject === null ? null : nearestName(right, rights);
    if (nearest !== null) return `${subject}:${nearest}`;
  }
  return null;
}

/**
 * The scopes of a key in use. Scopes fixed when the key was created stay, even if its owner's role
 * changes. A key without a list may do only what both the current role and the role at its creation
 * allow.
 */
export const effectiveScopes = (minted: readonly string[], mintedAs: Role): readonly string[] =>
  minted.length === 0 && mintedAs === 'viewer' ? scopes.filter(isRead) : minted;

/**
 * Whether a caller holds a scope. A list alone decides, since it was limited by the role when it
 * was made.
 */
export const holdsScope = ({ role, scopes: held }: Pick<Caller, 'role' | 'scopes'>, scope: string): boolean =>
  held.length > 0 ? held.includes(scope) : role !== 'viewer' || isRead(scope);

/** Scopes that a key grants and a caller lacks. */
export function scopesBeyond(caller: Caller, minted: readonly string[], mintedAs: Role): readonly string[] {
  const key = { role: caller.role, scopes: effectiveScopes(minted, mintedAs) };
  return scopes.filter((scope) => holdsScope(key, scope) && !holdsScope(caller, scope));
}

/** Changes to one's own keys and profile. A session may make them in any role. */
const MANAGING: Access = 'identity:manage';

/**
 * Lets a caller call a method, or throws.
 * @throws ApiError AUTH_REQUIRED without a caller, INSUFFICIENT_PERMISSIONS naming the missing
 *   scope, PERMISSION_DENIED if a session is needed
 */
export function authorise(caller: Caller | null, method: MethodName): void {
  const refusal = findRefusal(caller, method);
  if (refusal !== null) throw refusal;
}

/** What `authorise` throws; null if it lets the caller through. */
function findRefusal(caller: Caller | null, method: MethodName): ApiError | null {
  const requires = endpointOf(method).access;
  if (requires === 'public') return null;
  if (caller === null) return noCredential();
  if (requires === 'credential' || requires === 'payable' || requires === 'management') return null;
  if (requires === 'session') {
    const message = 'This call needs a login session; an API key or workload token cannot make it';
    return caller.credential === 'session' ? null : new ApiError('PERMISSION_DENIED', message);
  }
  if (requires === MANAGING && caller.credential === 'session') return null;
  if (holdsScope(caller, requires)) return null;
  return new ApiError('INSUFFICIENT_PERMISSIONS', `Missing required scope: ${requires}`, { scope: requires });
}

/** The methods that a caller may call as far as its role and scopes say. */
export const grantedMethods = (caller: Caller): readonly MethodName[] =>
  methodNames.filter((method) => findRefusal(caller, method) === null);
