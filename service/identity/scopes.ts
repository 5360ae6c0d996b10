import { quote } from '../../engine/errors.js';
import { nearestName } from '../../engine/nearest.js';
import { ApiError } from '../api-error.js';
import type { Caller, Role } from '../caller.js';
import { knowledgeAccess } from './knowledge-access.js';
import { namedShort } from './refusals.js';

/**
 * What a method requires: a scope, or nothing (`public`), nothing unless calls are sold to wallets
 * and then a credential or a payment (`payable`), any valid credential (`credential`), a session
 * rather than a key (`session`), or a credential and the management key (`management`, which
 * `ManagementKey` checks).
 */
export type Requirement = 'public' | 'payable' | 'credential' | 'session' | 'management' | `${string}:${string}`;

/**
 * Every method of the service and what it requires. A method that is missing here cannot be called.
 */
export const methodAccess = {
  'Auth.CheckAccess': 'public',
  'Auth.ListGranted': 'credential',
  'Auth.Login': 'public',
  'Auth.Refresh': 'public',
  'Auth.StartRedirect': 'public',
  'Auth.FinishRedirect': 'public',
  'Auth.Logout': 'session',
  'Auth.SwitchOrganization': 'session',
  'Auth.GetProfile': 'credential',
  'Auth.UpdateProfile': 'identity:manage',
  'Auth.IsAdmin': 'credential',
  'Auth.ListApiKeys': 'credential',
  'Auth.CreateApiKey': 'session',
  'Auth.RevokeApiKey': 'identity:manage',
  'Auth.ListAllowlist': 'credential',
  'Auth.AddToAllowlist': 'management',
  'Auth.RemoveFromAllowlist': 'management',
  'Auth.ListMembers': 'credential',
  'Auth.AddMember': 'session',
  'Auth.ChangeRole': 'session',
  'Auth.RemoveMember': 'session',

  'Strategies.List': 'strategy:read',
  'Strategies.Create': 'strategy:create',
  'Strategies.Get': 'strategy:read',
  'Strategies.Update': 'strategy:update_status',
  'Strategies.Delete': 'strategy:delete',
  'Strategies.SetStatus': 'strategy:update_status',
  'Strategies.SetExecutionState': 'strategy:update_status',
  'Strategies.Archive': 'strategy:update_status',
  'Strategies.Unarchive': 'strategy:update_status',
  'Strategies.ListMine': 'strategy:read',

  'Signals.List': 'signal:read',
  'Signals.Get': 'signal:read',
  'Signals.Search': 'signal:read',
  'Signals.Match': 'signal:read',
  'Signals.Evaluate': 'signal:read',
  'Signals.EvaluateScoped': 'signal:evaluate',
  'Signals.EvaluateMultipleSeries': 'signal:read',
  'Signals.ValidateParams': 'signal:read',
  'Signals.Validate': 'signal:read',

  'Execution.Evaluate': 'strategy:read',
  'Execution.EvaluateInline': 'strategy:read',
  'Execution.EvaluateBulk': 'strategy:read',
  'Execution.GetPortfolio': 'strategy:read',
  'Execution.ListAccounts': 'position:read',
  'Execution.CreateAccount': 'position:create',
  'Execution.GetAccount': 'position:read',
  'Execution.UpdateAccount': 'position:create',
  'Execution.ListPositions': 'position:read',
  'Execution.GetPosition': 'position:read',
  'Execution.ListTrades': 'position:read',

  'Backtests.Run': 'backtest:create',
  'Backtests.RunBulk': 'backtest:create',
  'Backtests.Get': 'backtest:read',
  'Backtests.ListTrades': 'backtest:read',
  'Backtests.Archive': 'backtest:create',
  'Backtests.Unarchive': 'backtest:create',
  'Backtests.History': 'backtest:read',
  'Backtests.Submit': 'backtest:create',
  'Backtests.GetStatus': 'backtest:read',
  'Backtests.Cancel': 'backtest:create',
  'Backtests.GetReport': 'backtest:read',
  'Backtests.ReadColumns': 'backtest:read',
  'Backtests.GetAudit': 'backtest:read',
  'Backtests.GetManifest': 'backtest:read',
  'Backtests.Replay': 'backtest:create',

  'Experiments.Create': 'oracle:sweep',
  'Experiments.List': 'oracle:read',
  'Experiments.Get': 'oracle:read',
  'Experiments.Replace': 'oracle:sweep',
  'Experiments.Delete': 'oracle:sweep',
  'Experiments.Validate': 'oracle:sweep',
  'Experiments.Launch': 'oracle:sweep',
  'Experiments.Pause': 'oracle:sweep',
  'Experiments.Cancel': 'oracle:sweep',
  'Experiments.GetHonesty': 'oracle:read',
  'Experiments.GetReport': 'oracle:read',
  'Experiments.WatchProgress': 'oracle:read',

  'Batch.Run': 'oracle:backtest',
  'Batch.Submit': 'oracle:backtest',
  'Batch.GetStatus': 'oracle:backtest',
  'Batch.RunBulk': 'oracle:backtest',

  'Catalogue.ListDatasets': 'public',
  'Catalogue.ListSignals': 'credential',
  'Catalogue.ListTemplates': 'credential',
  'Catalogue.GetExecutionDefaults': 'credential',

  'Simulations.Run': 'oracle:backtest',
  'Simulations.Generate': 'oracle:backtest',
  'Simulations.ListPresets': 'credential',
  'Simulations.History': 'credential',

  'Sieve.Score': 'oracle:read',

  'Webhooks.Create': 'webhook:manage',
  'Webhooks.List': 'webhook:read',
  'Webhooks.Get': 'webhook:read',
  'Webhooks.Delete': 'webhook:manage',
  'Webhooks.Rotate': 'webhook:manage',
  'Webhooks.Test': 'webhook:manage',
  'Webhooks.ListDeliveries': 'webhook:read',

  'PromoCodes.Create': 'management',
  'PromoCodes.List': 'management',
  'PromoCodes.Revoke': 'management',
  'PromoCodes.Reinstate': 'management',
  'PromoCodes.ListRedemptions': 'management',
  'PromoCodes.Validate': 'credential',
  'PromoCodes.Redeem': 'identity:manage',

  'Usage.GetUserMetrics': 'credential',
  'Usage.Get': 'credential',
  'Usage.ListPrices': 'public',
  'Usage.ListTiers': 'credential',
  'Usage.GetSubscription': 'credential',
  'Usage.GetUtilization': 'credential',
  'Deployed.GetLeaderboard': 'credential',
  'Deployed.ListStrategies': 'credential',
  'Deployed.GetState': 'credential',
  'Deployed.ListEvents': 'credential',
  'Deployed.Stream': 'credential',
  'Corpus.Query': 'data:query',
  'Corpus.QueryColumns': 'data:query',
  'Corpus.ListResults': 'oracle:read',

  'MarketData.GetHealth': 'marketdata:read',
  'MarketData.GetLatestTrade': 'marketdata:read',
  'MarketData.ListTrades': 'marketdata:read',
  'MarketData.GetLatestQuote': 'marketdata:read',
  'MarketData.ListQuotes': 'marketdata:read',
  'MarketData.GetLatestBar': 'marketdata:read',
  'MarketData.ListMinuteBars': 'marketdata:read',
  'MarketData.GetPeriodBar': 'marketdata:read',

  'Social.GetSentiment': 'social:read',
  'Social.ListMentions': 'social:read',
  'Social.GetInfluence': 'social:read',

  'Defi.GetProtocolTvl': 'defi:read',
  'Defi.GetChainTvl': 'defi:read',
  'Defi.GetStablecoins': 'defi:read',
  'Defi.ListTokenUnlocks': 'defi:read',
  'Defi.ListPerpFunding': 'defi:read',
  'Defi.ListTreasuries': 'defi:read',
  'Defi.ListEtfFlows': 'defi:read',
  'Defi.ListLendingRates': 'defi:read',

  'OnChain.GetSentiment': 'onchain:read',
  'OnChain.ScreenSmartMoney': 'onchain:read',
  'OnChain.GetConcentration': 'onchain:read',
  'OnChain.ListWhaleTransactions': 'onchain:read',
  'OnChain.GetExchangeFlows': 'onchain:read',
  'OnChain.GetWhaleActivity': 'onchain:read',
  'OnChain.ListHistoricalHoldings': 'onchain:read',
  'OnChain.ListDexTrades': 'onchain:read',
  'OnChain.ListPerpTrades': 'onchain:read',
  'OnChain.ListTokenDexTrades': 'onchain:read',
  'OnChain.ListTokenFlows': 'onchain:read',
  'OnChain.ReadSeries': 'onchain:read',
  'OnChain.GetTokenHolders': 'onchain:read',
  'OnChain.GetFlowIntelligence': 'onchain:read',
  'OnChain.ListNetflows': 'onchain:read',
  'OnChain.ListHoldings': 'onchain:read',

  'CryptoAssets.Query': 'assets:read',
  'CryptoAssets.ListAll': 'assets:read',
  'CryptoAssets.ListApproved': 'assets:read',
  'CryptoAssets.Get': 'assets:read',
  'CryptoAssets.ListExchangesOf': 'assets:read',
  'CryptoAssets.ListExchanges': 'assets:read',
  'CryptoAssets.GetTrending': 'assets:read',
  'CryptoAssets.GetGlobalMarket': 'assets:read',
  'CryptoAssets.GetMarketData': 'assets:read',
  'CryptoAssets.GetCandles': 'assets:read',
  'CryptoAssets.AnalyseRisk': 'assets:read',
  'CryptoAssets.UpdateAll': 'management',
  'CryptoAssets.Approve': 'management',
  'CryptoAssets.Suspend': 'management',
  'CryptoAssets.SetRegulatoryStatus': 'management',
  'CryptoAssets.SetSecurityStatus': 'management',

  'Assistant.Start': 'assistant:chat',
  'Assistant.GetLatest': 'assistant:read',
  'Assistant.List': 'assistant:read',
  'Assistant.Get': 'assistant:read',
  'Assistant.Chat': 'assistant:chat',
  'Assistant.Rename': 'assistant:chat',
  'Assistant.Delete': 'assistant:chat',
  'Assistant.SaveStrategy': 'strategy:create',
  'Assistant.GetConfiguration': 'credential',
  'Assistant.RefreshIndex': 'management',
  ...knowledgeAccess,
  'Config.GetHealth': 'public',
  'Config.GetTradingDefaults': 'public',
  'Config.GetExecutionDefaults': 'public',
  'Config.ListDocs': 'credential',
  'Config.GetDoc': 'credential',
} as const satisfies Readonly<Record<string, Requirement>>;

export type Method = keyof typeof methodAccess;

/** Every scope that grants something, in alphabetical order. */
export const scopes: readonly string[] = [
  ...new Set(Object.values(methodAccess).filter((requires) => requires.includes(':'))),
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
