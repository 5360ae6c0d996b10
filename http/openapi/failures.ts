import { endpointOf, meterName } from '../../contract/index.js';
import { type ApiCode, ApiError, asSeenBy, meters, walletPriceUsd } from '../../rpc/index.js';
import { errorRows } from '../errors.js';
import type { Route } from '../route.js';

/** Whether a request may change something, so that sending it twice may matter. */
export const isChange = ({ method }: Pick<Route, 'method'>): boolean => method !== 'get';

/** What a call of a route needs: a requirement of the table of access. */
export const requiredAccess = ({ rpc }: Pick<Route, 'rpc'>): string => endpointOf(rpc).access;

function accessCodes(access: string): readonly ApiCode[] {
  if (access === 'public') return [];
  if (access === 'credential') return ['AUTH_REQUIRED'];
  if (access === 'session' || access === 'management') return ['AUTH_REQUIRED', 'PERMISSION_DENIED'];
  return ['AUTH_REQUIRED', 'INSUFFICIENT_PERMISSIONS'];
}

/** The meter of a route, with what one of its calls costs; null if it has none. */
export function routeMeter({ rpc }: Pick<Route, 'rpc'>) {
  const name = meterName(rpc);
  return name === null
    ? null
    : { name, ...(meters[name] as (typeof meters)['defi_pro'] | (typeof meters)['oracle_backtest']) };
}

function meterCodes(route: Route): readonly ApiCode[] {
  const meter = routeMeter(route);
  if (meter === null) return [];
  const limit = meter.counter === 'defi_pro_calls' ? 'quota_exceeded' : 'USAGE_LIMIT_EXCEEDED';
  // Callers without a credential may pay for a call, where the operator allows that.
  const sold: readonly ApiCode[] = walletPriceUsd(meter) > 0 ? ['PAYMENT_REQUIRED', 'CONFLICT'] : [];
  return 'entitlement' in meter ? [limit, 'TIER_UPGRADE_REQUIRED', ...sold] : [limit, ...sold];
}

function formCodes(route: Route): readonly ApiCode[] {
  const { code: invalid } = asSeenBy(route.rpc, new ApiError('VALIDATION_ERROR', ''));
  return [
    invalid, // at least for X-Fields
    'MISSING_FIELD',
    ...(route.body === undefined ? [] : (['PAYLOAD_TOO_LARGE'] as const)),
    // A path that cannot be decoded is refused before its method is known.
    ...(/\{/.test(route.path) ? (['VALIDATION_ERROR', 'RESOURCE_NOT_FOUND'] as const) : []),
  ];
}

/** Codes that a route may answer with, each once, by status. */
export function codesByStatus(route: Route): ReadonlyMap<number, readonly ApiCode[]> {
  const access = requiredAccess(route);
  const codes: readonly ApiCode[] = [
    ...formCodes(route),
    ...accessCodes(access),
    ...meterCodes(route),
    // A second call with an Idempotency-Key may conflict.
    ...(isChange(route) && access !== 'public' ? (['CONFLICT'] as const) : []),
    ...(endpointOf(route.rpc).errors as readonly ApiCode[]), // a test holds that each is a code
    'RATE_LIMITED',
    'INTERNAL_ERROR',
    'ENGINE_BUSY',
  ];
  const byStatus = new Map<number, readonly ApiCode[]>();
  for (const code of new Set(codes)) {
    const { status } = errorRows[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

/** What an operation does, needs and costs, in sentences. */
export function describeOperation(route: Route): string {
  const { description } = endpointOf(route.rpc);
  const meter = routeMeter(route);
  const sentences = [
    description.endsWith('.') ? description : `${description}.`,
    need(requiredAccess(route)),
    meter === null ? '' : cost(meter),
    route.binding.isDeprecated ? 'Deprecated: this is a former path.' : '',
  ];
  return sentences.filter((sentence) => sentence !== '').join('\n\n');
}

function need(access: string): string {
  if (access === 'public') return 'Needs no credential.';
  if (access === 'payable') return 'Needs no credential while calls are not sold, else a payment or a credential.';
  if (access === 'credential') return 'Needs any valid credential.';
  if (access === 'session') return 'Needs a login session; an API key is refused.';
  if (access === 'management') return 'Needs a credential, and the management key in the header `X-Management-Key`.';
  return `Needs the scope \`${access}\`.`;
}

function cost({ counter, unitPriceUsd }: { readonly counter: string; readonly unitPriceUsd: number }): string {
  const price = unitPriceUsd > 0 ? ` and costs ${unitPriceUsd} USD` : '';
  return `Each call counts as one of \`${counter}\` of the month${price}.`;
}
