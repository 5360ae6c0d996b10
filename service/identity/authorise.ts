import { type Access, endpointOf, type MethodName, methodNames } from '../../contract/index.js';
import { ApiError } from '../api-error.js';
import type { Caller } from '../caller.js';
import { noCredential } from './refusals.js';
import { holdsScope } from './scopes.js';

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
