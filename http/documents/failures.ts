import {
  type ApiCode,
  ApiError,
  asSeenBy,
  describedMethods,
  type MethodName,
  meters,
  methodAccess,
  methodMeters,
  walletPriceUsd,
} from '../../rpc/index.js';
import { errorRows } from '../errors.js';
import type { Route } from '../route.js';

/** Codes of methods beyond those that follow from access, meter and form of the request. */
const ownCodes: Readonly<Partial<Record<MethodName, readonly ApiCode[]>>> = {
  'Assistant.Start': ['USAGE_LIMIT_EXCEEDED'],
  'Assistant.Chat': ['USAGE_LIMIT_EXCEEDED'],
  'Assistant.SaveStrategy': ['TIER_UPGRADE_REQUIRED', 'RESOURCE_NOT_FOUND'],
  'Auth.Login': ['AUTH_REQUIRED', 'PERMISSION_DENIED'],
  'Auth.Refresh': ['AUTH_REQUIRED'],
  'Auth.FinishRedirect': ['AUTH_REQUIRED', 'PERMISSION_DENIED'],
  'Auth.SwitchOrganization': ['RESOURCE_NOT_FOUND'],
  'Auth.CreateApiKey': ['INSUFFICIENT_PERMISSIONS'],
  'Auth.RevokeApiKey': ['INSUFFICIENT_PERMISSIONS'],
  'Auth.AddMember': ['CONFLICT', 'INSUFFICIENT_PERMISSIONS'],
  'Auth.ChangeRole': ['CONFLICT', 'INSUFFICIENT_PERMISSIONS'],
  'Auth.RemoveMember': ['CONFLICT', 'INSUFFICIENT_PERMISSIONS'],
  'Config.GetDoc': ['RESOURCE_NOT_FOUND'],
  'Strategies.Create': ['TIER_UPGRADE_REQUIRED', 'CONFLICT'],
  'Strategies.Update': ['CONFLICT'],
  'Signals.Evaluate': ['ENGINE_BUSY'],
  'Signals.EvaluateScoped': ['RESOURCE_NOT_FOUND', 'ENGINE_BUSY'],
  'Signals.ValidateParams': ['ENGINE_BUSY'],
  'Signals.Validate': ['ENGINE_BUSY'],
  'Signals.EvaluateMultipleSeries': ['RESOURCE_NOT_FOUND'],
  'Execution.Evaluate': ['CONFLICT'],
  'Execution.EvaluateBulk': ['RESOURCE_NOT_FOUND'],
  'Execution.CreateAccount': ['CONFLICT'],
  'Execution.UpdateAccount': ['CONFLICT'],
  'Backtests.Run': ['RESOURCE_NOT_FOUND', 'USAGE_LIMIT_EXCEEDED'],
  'Backtests.RunBulk': ['RESOURCE_NOT_FOUND', 'USAGE_LIMIT_EXCEEDED'],
  'Backtests.Submit': ['RESOURCE_NOT_FOUND', 'USAGE_LIMIT_EXCEEDED'],
  'Backtests.Cancel': ['INVALID_STATE'],
  'Backtests.GetReport': ['CONFLICT'],
  'Backtests.GetAudit': ['CONFLICT'],
  'Backtests.GetManifest': ['CONFLICT'],
  'Backtests.Replay': ['CONFLICT'],
  'Batch.RunBulk': ['RESOURCE_NOT_FOUND'],
  'Experiments.Replace': ['INVALID_STATE'],
  'Experiments.Validate': ['INVALID_STATE', 'TIER_UPGRADE_REQUIRED'],
  'Experiments.Launch': ['INVALID_STATE', 'CONCURRENT_SWEEP_LIMIT', 'TIER_UPGRADE_REQUIRED', 'USAGE_LIMIT_EXCEEDED'],
  'Experiments.Pause': ['INVALID_STATE'],
  'Experiments.Cancel': ['INVALID_STATE'],
  'Experiments.Delete': ['INVALID_STATE'],
  'Experiments.GetHonesty': ['INVALID_STATE'],
  'Experiments.GetReport': ['INVALID_STATE'],
  'Knowledge.Evaluate': ['RESOURCE_NOT_FOUND', 'ENGINE_BUSY'],
  'Knowledge.Compute': ['RESOURCE_NOT_FOUND', 'ENGINE_BUSY'],
  'Sieve.Score': ['ENGINE_BUSY'],
  'Simulations.Run': ['RESOURCE_NOT_FOUND'],
  'Simulations.Generate': ['RESOURCE_NOT_FOUND'],
  'Deployed.Stream': ['RESOURCE_NOT_FOUND'],
  'Usage.Get': ['PERMISSION_DENIED'],
  'Webhooks.Create': ['CONFLICT'],
  'PromoCodes.Create': ['CONFLICT'],
  'PromoCodes.Redeem': ['INVALID_STATE', 'INSUFFICIENT_PERMISSIONS'],
  'PromoCodes.Validate': ['INSUFFICIENT_PERMISSIONS'],
  'Corpus.Query': ['BYTES_LIMIT_EXCEEDED'],
  'CryptoAssets.Approve': ['INVALID_STATE'],
  'CryptoAssets.SetRegulatoryStatus': ['RESOURCE_NOT_FOUND'],
  'CryptoAssets.SetSecurityStatus': ['RESOURCE_NOT_FOUND'],
  'OnChain.GetSentiment': ['RESOURCE_NOT_FOUND'],
  'OnChain.ListWhaleTransactions': ['RESOURCE_NOT_FOUND'],
  'OnChain.GetExchangeFlows': ['RESOURCE_NOT_FOUND'],
  'OnChain.GetWhaleActivity': ['RESOURCE_NOT_FOUND'],
  'OnChain.ListHistoricalHoldings': ['RESOURCE_NOT_FOUND'],
  'OnChain.ListDexTrades': ['RESOURCE_NOT_FOUND'],
  'OnChain.ListNetflows': ['RESOURCE_NOT_FOUND'],
  'OnChain.ListHoldings': ['RESOURCE_NOT_FOUND'],
  'OnChain.ReadSeries': ['RESOURCE_NOT_FOUND'],
  'OnChain.ScreenSmartMoney': ['RESOURCE_NOT_FOUND'],
};

/** Whether a request may change something, so that sending it twice may matter. */
export const isChange = ({ method }: Pick<Route, 'method'>): boolean => method !== 'get';

/** What a call of a route needs: a requirement of the table of access. */
export const accessOf = ({ rpc }: Pick<Route, 'rpc'>): string => methodAccess[rpc];

function accessCodes(access: string): readonly ApiCode[] {
  if (access === 'public') return [];
  if (access === 'credential') return ['AUTH_REQUIRED'];
  if (access === 'session' || access === 'management') return ['AUTH_REQUIRED', 'PERMISSION_DENIED'];
  return ['AUTH_REQUIRED', 'INSUFFICIENT_PERMISSIONS'];
}

/** The meter of a route, with what one of its calls costs; null if it has none. */
export function meterOf({ rpc }: Pick<Route, 'rpc'>) {
  const name = methodMeters[rpc as keyof typeof methodMeters];
  return name === undefined
    ? null
    : { name, ...(meters[name] as (typeof meters)['defi_pro'] | (typeof meters)['oracle_backtest']) };
}

function meterCodes(route: Route): readonly ApiCode[] {
  const meter = meterOf(route);
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
  const access = accessOf(route);
  const codes: readonly ApiCode[] = [
    ...formCodes(route),
    ...accessCodes(access),
    ...meterCodes(route),
    // A second call with an Idempotency-Key may conflict.
    ...(isChange(route) && access !== 'public' ? (['CONFLICT'] as const) : []),
    ...(ownCodes[route.rpc] ?? []),
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
export function descriptionOf(route: Route): string {
  const { comment = '' } = describedMethods[route.rpc] ?? {};
  const meter = meterOf(route);
  const sentences = [
    comment === '' ? `${route.summary}.` : comment.endsWith('.') ? comment : `${comment}.`,
    need(accessOf(route)),
    meter === null ? '' : costOf(meter),
    route.isDeprecated === true ? 'Deprecated: this is a former path.' : '',
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

function costOf({ counter, unitPriceUsd }: { readonly counter: string; readonly unitPriceUsd: number }): string {
  const price = unitPriceUsd > 0 ? ` and costs ${unitPriceUsd} USD` : '';
  return `Each call counts as one of \`${counter}\` of the month${price}.`;
}
