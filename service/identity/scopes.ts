import { ApiError } from '../api-error.js';
import type { Caller, Role } from '../caller.js';
import { namedShort, noCredential } from './refusals.js';

/**
 * What a method asks of its caller, besides a scope: nothing (`public`), any valid credential (`credential`), a session
 * rather than a key (`session`), or a credential and the management key (`management`, whose key `ManagementKey` checks).
 */
export type Requirement = 'public' | 'credential' | 'session' | 'management' | `${string}:${string}`;

export interface Access {
  readonly requires: Requirement;
  /** REST routes of the method below /api/v1, or from the root where they begin with /api. */
  readonly endpoints: readonly string[];
}

const access = <R extends Requirement>(requires: R, ...endpoints: readonly string[]) => ({ requires, endpoints });

/** Every method of the service, and who may call it. A method that is missing here cannot be called. */
export const methodAccess = {
  'Auth.CheckAccess': access('public'),
  'Auth.Login': access('public', 'POST /auth/login'),
  'Auth.Refresh': access('public', 'POST /auth/refresh'),
  'Auth.StartRedirect': access('public', 'GET /auth/login/google'),
  'Auth.FinishRedirect': access('public', 'GET /auth/callback'),
  'Auth.Logout': access('session', 'POST /auth/logout'),
  'Auth.SwitchOrganization': access('session', 'POST /auth/switch-org'),
  'Auth.GetProfile': access('credential', 'GET /auth/profile'),
  'Auth.UpdateProfile': access('identity:manage', 'PUT /auth/profile'),
  'Auth.IsAdmin': access('credential', 'GET /auth/is-admin'),
  'Auth.ListApiKeys': access('credential', 'GET /auth/api-keys'),
  'Auth.CreateApiKey': access('session', 'POST /auth/api-keys'),
  'Auth.RevokeApiKey': access('identity:manage', 'DELETE /auth/api-keys/{key_id}'),
  'Auth.ListAllowlist': access('credential', 'GET /auth/allowlist/emails'),
  'Auth.AddToAllowlist': access('management', 'POST /auth/allowlist/emails'),
  'Auth.RemoveFromAllowlist': access('management', 'DELETE /auth/allowlist/emails/{email}'),
  'Auth.ListMembers': access('credential', 'GET /organizations/{id}/members'),
  'Auth.AddMember': access('session', 'POST /organizations/{id}/members'),
  'Auth.ChangeRole': access('session', 'PUT /organizations/{id}/members/{user_id}'),
  'Auth.RemoveMember': access('session', 'DELETE /organizations/{id}/members/{user_id}'),

  'Strategies.List': access('strategy:read', 'GET /strategies'),
  'Strategies.Create': access('strategy:create', 'POST /strategies'),
  'Strategies.Get': access('strategy:read', 'GET /strategies/{strategy_id}'),
  'Strategies.Update': access('strategy:update_status', 'PUT /strategies/{strategy_id}'),
  'Strategies.Delete': access('strategy:delete', 'DELETE /strategies/{strategy_id}'),
  'Strategies.SetStatus': access('strategy:update_status', 'PATCH /strategies/{strategy_id}/status'),
  'Strategies.SetExecutionState': access('strategy:update_status', 'PATCH /strategies/{strategy_id}/execution-state'),
  'Strategies.Archive': access('strategy:update_status', 'POST /strategies/{strategy_id}/archive'),
  'Strategies.Unarchive': access('strategy:update_status', 'POST /strategies/{strategy_id}/unarchive'),
  'Strategies.ListMine': access('strategy:read', 'GET /users/me/strategies'),

  'Signals.List': access('signal:read', 'GET /signals'),
  'Signals.Get': access('signal:read', 'GET /signals/{signal_name}'),
  'Signals.Search': access('signal:read', 'POST /signals/search'),
  'Signals.Match': access('signal:read', 'POST /signals/match'),
  'Signals.Evaluate': access('signal:read', 'POST /signals/{signal_name}/evaluate'),
  'Signals.EvaluateScoped': access('signal:evaluate', 'POST /signals/evaluate'),
  'Signals.EvaluateMultipleSeries': access('signal:read', 'POST /signals/evaluate-multiple-series'),
  'Signals.ValidateParams': access('signal:read', 'POST /signals/{signal_name}/validate-params'),
  'Signals.Validate': access('signal:read', 'POST /signals/validate'),

  'Execution.Evaluate': access('strategy:read', 'POST /execution/evaluate/{strategy_id}'),
  'Execution.EvaluateInline': access('strategy:read', 'POST /execution/evaluate'),
  'Execution.EvaluateBulk': access('strategy:read', 'POST /execution/evaluate/bulk'),
  'Execution.GetPortfolio': access('strategy:read', 'GET /execution/portfolio'),
  'Execution.ListAccounts': access('position:read', 'GET /execution/accounts'),
  'Execution.CreateAccount': access('position:create', 'POST /execution/accounts'),
  'Execution.GetAccount': access('position:read', 'GET /execution/accounts/{id}'),
  'Execution.UpdateAccount': access('position:create', 'PUT /execution/accounts/{id}'),
  'Execution.ListPositions': access('position:read', 'GET /execution/positions'),
  'Execution.GetPosition': access('position:read', 'GET /execution/positions/{id}'),
  'Execution.ListTrades': access('position:read', 'GET /execution/trades'),

  'Backtests.Run': access('backtest:create', 'POST /backtests', 'POST /backtesting/backtest'),
  'Backtests.RunBulk': access('backtest:create', 'POST /backtests/bulk', 'POST /backtesting/backtest/bulk'),
  'Backtests.Get': access('backtest:read', 'GET /backtests/{id}', 'GET /backtesting/backtest/{id}'),
  'Backtests.ListTrades': access(
    'backtest:read',
    'GET /backtests/{id}/trades',
    'GET /backtesting/backtest/{id}/trades',
  ),
  'Backtests.Archive': access('backtest:create', 'POST /backtests/{id}/archive'),
  'Backtests.Unarchive': access('backtest:create', 'POST /backtests/{id}/unarchive'),
  'Backtests.History': access('backtest:read', 'GET /users/me/backtests'),
  'Backtests.Submit': access('backtest:create', 'POST /api/v2/backtests'),
  'Backtests.GetStatus': access('backtest:read', 'GET /api/v2/backtests/{id}', 'GET /api/v2/backtests/{id}/status'),
  'Backtests.GetReport': access('backtest:read', 'GET /backtests/{id}/report'),
  'Backtests.ReadColumns': access('backtest:read'),
  'Backtests.GetAudit': access('backtest:read', 'GET /backtests/{id}/audit'),
  'Backtests.GetManifest': access('backtest:read', 'GET /backtests/{id}/manifest'),
  'Backtests.Replay': access('backtest:create', 'POST /backtests/{id}/replay'),

  'Experiments.Create': access('oracle:sweep', 'POST /oracle/experiments'),
  'Experiments.List': access('oracle:read', 'GET /oracle/experiments'),
  'Experiments.Get': access('oracle:read', 'GET /oracle/experiments/{experiment_id}'),
  'Experiments.Replace': access('oracle:sweep', 'PUT /oracle/experiments/{experiment_id}'),
  'Experiments.Delete': access('oracle:sweep', 'DELETE /oracle/experiments/{experiment_id}'),
  'Experiments.Validate': access('oracle:sweep', 'POST /oracle/experiments/{experiment_id}/validate'),
  'Experiments.Launch': access('oracle:sweep', 'POST /oracle/experiments/{experiment_id}/launch'),
  'Experiments.Pause': access('oracle:sweep', 'POST /oracle/experiments/{experiment_id}/pause'),
  'Experiments.Cancel': access('oracle:sweep', 'POST /oracle/experiments/{experiment_id}/cancel'),
  'Experiments.GetHonesty': access('oracle:read', 'GET /oracle/experiments/{experiment_id}/honesty'),
  'Experiments.GetReport': access('oracle:read', 'GET /oracle/experiments/{experiment_id}/report'),
  'Experiments.WatchProgress': access('oracle:read', 'GET /oracle/experiments/{experiment_id}/progress'),

  'Batch.Run': access('oracle:backtest', 'POST /oracle/backtest'),
  'Batch.Submit': access('oracle:backtest', 'POST /oracle/backtest/async'),
  'Batch.GetStatus': access(
    'oracle:backtest',
    'GET /oracle/backtest/async/{backtest_id}',
    'GET /oracle/backtest/async/{backtest_id}/status',
  ),
  'Batch.RunBulk': access('oracle:backtest', 'POST /oracle/backtest/bulk'),

  'Catalogue.ListDatasets': access('credential', 'GET /oracle/datasets'),
  'Catalogue.ListSignals': access('credential', 'GET /oracle/signals'),
  'Catalogue.ListTemplates': access('credential', 'GET /oracle/templates'),
  'Catalogue.GetExecutionDefaults': access('credential', 'GET /oracle/exec-config/defaults'),

  'Simulations.Run': access('oracle:backtest', 'POST /oracle/simulate/run'),
  'Simulations.Generate': access('oracle:backtest', 'POST /oracle/simulate/generate'),
  'Simulations.ListPresets': access('credential', 'GET /oracle/simulate/presets'),
  'Simulations.History': access('credential', 'GET /oracle/simulate/history'),

  'Webhooks.Create': access('webhook:manage', 'POST /webhooks'),
  'Webhooks.List': access('webhook:read', 'GET /webhooks'),
  'Webhooks.Get': access('webhook:read', 'GET /webhooks/{id}'),
  'Webhooks.Delete': access('webhook:manage', 'DELETE /webhooks/{id}'),
  'Webhooks.Rotate': access('webhook:manage', 'POST /webhooks/{id}/rotate'),
  'Webhooks.Test': access('webhook:manage', 'POST /webhooks/{id}/test'),
  'Webhooks.ListDeliveries': access('webhook:read', 'GET /webhooks/{id}/deliveries'),

  'Usage.Get': access('credential', 'GET /usage'),
  'Usage.ListPrices': access('credential', 'GET /usage/prices'),
  'Usage.ListTiers': access('credential', 'GET /subscriptions/tiers'),
  'Usage.GetSubscription': access('credential', 'GET /subscriptions/status'),
  'Usage.GetUtilization': access('credential', 'GET /subscriptions/utilization'),
  'Deployed.GetLeaderboard': access('credential', 'GET /oracle/leaderboard'),
  'Deployed.ListStrategies': access('credential', 'GET /oracle/deployed/strategies'),
  'Deployed.GetState': access('credential', 'GET /oracle/deployed/{strategy_id}/state'),
  'Deployed.ListEvents': access('credential', 'GET /oracle/deployed/{strategy_id}/events'),
  'Deployed.Stream': access('credential', 'GET /oracle/deployed/stream'),
  'Corpus.Query': access('data:query', 'POST /oracle/data/query'),
  'Corpus.QueryColumns': access('data:query'),
  'Corpus.ListResults': access('oracle:read', 'GET /oracle/results'),

  'Config.GetHealth': access('public', 'GET /health'),
  'Config.GetTradingDefaults': access('public', 'GET /config/trading-defaults'),
  'Config.GetExecutionDefaults': access('public', 'GET /config/execution-defaults'),
  'Config.ListDocs': access('credential', 'GET /docs/list'),
  'Config.GetDoc': access('credential', 'GET /docs/content'),
} as const satisfies Readonly<Record<string, Access>>;

export type Method = keyof typeof methodAccess;

/** Every scope that grants something, in alphabetical order. */
export const scopes: readonly string[] = [
  ...new Set(Object.values(methodAccess).flatMap(({ requires }) => (requires.includes(':') ? [requires] : []))),
].sort();

/** To change what is one's own, such as the keys and the profile. A login may do that in any role. */
const MANAGING: Requirement = 'identity:manage';

const isRead = (scope: string): boolean => scope.endsWith(':read');

export interface MintedScopes {
  readonly scopes: readonly string[];
  /** Asked for, but beyond the role. */
  readonly withheld: readonly string[];
}

/**
 * The scopes that a key gets: those asked for, once each, of which a viewer receives only the reading ones. Unknown ones
 * are kept and grant nothing.
 * @throws ApiError INSUFFICIENT_PERMISSIONS where nothing of what was asked for is left: an empty list would grant everything
 */
export function mintedScopes(asked: readonly string[], role: Role): MintedScopes {
  const once = [...new Set(asked)];
  const scopes = once.filter((scope) => role !== 'viewer' || isRead(scope));
  const withheld = once.filter((scope) => !scopes.includes(scope));
  if (scopes.length > 0 || withheld.length === 0) return { scopes, withheld };
  const message = `The role ${role} receives no scopes but reading ones, asked for: ${namedShort(withheld)}`;
  throw new ApiError('INSUFFICIENT_PERMISSIONS', message, { role });
}

/**
 * The scopes of a key in use. What was fixed at mint stays, whatever became of its owner's role since. A key without a list
 * may do what the role allows, both that of today and that of the day it was minted.
 */
export const effectiveScopes = (minted: readonly string[], mintedAs: Role): readonly string[] =>
  minted.length === 0 && mintedAs === 'viewer' ? scopes.filter(isRead) : minted;

/** Whether a caller holds a scope. A list decides alone: it was gated by the role when it was made. */
export const holdsScope = ({ role, scopes: held }: Pick<Caller, 'role' | 'scopes'>, scope: string): boolean =>
  held.length > 0 ? held.includes(scope) : role !== 'viewer' || isRead(scope);

/** The scopes that a key grants and a caller lacks. */
export function scopesBeyond(caller: Caller, minted: readonly string[], mintedAs: Role): readonly string[] {
  const key = { role: caller.role, scopes: effectiveScopes(minted, mintedAs) };
  return scopes.filter((scope) => holdsScope(key, scope) && !holdsScope(caller, scope));
}

/**
 * Lets a caller through to a method or says why not.
 * @throws ApiError AUTH_REQUIRED without a caller, INSUFFICIENT_PERMISSIONS naming the missing scope, PERMISSION_DENIED
 *   where a session is needed
 */
export function authorise(caller: Caller | null, method: Method): void {
  const { requires } = methodAccess[method];
  if (requires === 'public') return;
  if (caller === null) throw noCredential();
  if (requires === 'credential' || requires === 'management') return;
  if (requires === 'session') {
    if (caller.credential === 'session') return;
    throw new ApiError(
      'PERMISSION_DENIED',
      'This call needs a login session; an API key or workload token cannot make it',
    );
  }
  if (requires === MANAGING && caller.credential === 'session') return;
  if (holdsScope(caller, requires)) return;
  throw new ApiError('INSUFFICIENT_PERMISSIONS', `Missing required scope: ${requires}`, { scope: requires });
}
