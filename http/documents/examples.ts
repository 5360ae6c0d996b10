import type { MethodName } from '../../rpc/index.js';
import { definitionExample, experimentExample, marketDataExample, riskExample } from './example-bodies.js';

/** A request to try, as it is sent. */
export interface Example {
  /** Values of parameters in the path that differ from the usual ones. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: object;
}

const ID = '3f0c1a52-7c1e-4d0e-9a55-2b6d3f1c8e70';
const days = { start_date: '2024-01-01', end_date: '2024-06-30' };
const run = { ...days, interval: '1h', asset: 'BTC', strategy_json: JSON.stringify(definitionExample) };
const bulk = { ...days, interval: '1h', strategy_configs: [definitionExample] };
const window = { start_time: '2024-01-01T00:00:00Z', end_time: '2024-01-01T06:00:00Z' };
/** The bundled trades and quotes are of these minutes. */
const recorded = { start_time: '2024-08-09T00:00:00Z', end_time: '2024-08-09T00:05:00Z' };
const chainRows = { order_by: [{ field: 'value_usd', direction: 'DESC' }], page: 1, per_page: 5 };
const range = { from: '2025-09-17', to: '2025-09-19' };
const code = { code: 'SPRING-24', tier_id: 'small', scope: 'org' };

/** Requests of the methods that need more than a path; each is sent by a test. */
const examples: Readonly<Partial<Record<MethodName, Example>>> = {
  'Assistant.Start': { body: { org_id: ID, user_id: ID } },
  'Assistant.Chat': { body: { message: 'buy dips of BTC in an uptrend on hourly bars' } },
  'Assistant.Rename': { body: { title: 'Dips of BTC' } },
  'Assistant.SaveStrategy': { body: { strategy_config: definitionExample, name: 'Dips of BTC' } },
  'Knowledge.Search': { query: { q: 'how are fees charged' } },
  'Knowledge.GetIndicator': { path: { name: 'RSI' } },
  'Knowledge.Evaluate': {
    body: {
      name: 'rsi_overbought',
      ohlcv: Array.from({ length: 20 }, (_, bar) => ({ Close: 100 + bar })),
      params: { window: 5 },
    },
  },
  'Knowledge.Compute': { body: { name: 'SMA', data: { Close: [1, 2, 3, 4] }, params: { window: 2 } } },
  'Auth.Login': { body: { idp_token: 'the ID token of a login' } },
  'Auth.Refresh': { body: { refresh_token: 'the refresh token of a login' } },
  'Auth.SwitchOrganization': { body: { org_id: ID } },
  'Auth.UpdateProfile': { body: { name: 'Ada' } },
  'Auth.CreateApiKey': { body: { name: 'reader', scopes: ['strategy:read', 'backtest:read'], expires_days: 30 } },
  'Auth.AddToAllowlist': { body: { emails: ['someone@example.com'] } },
  'Auth.AddMember': { body: { user_id: ID, role: 'viewer' } },
  'Auth.ChangeRole': { body: { role: 'member' } },
  'Config.GetDoc': { query: { path: 'README.md' } },
  'Strategies.List': { query: { skip: 0, limit: 20 } },
  'Strategies.ListMine': { query: { search: 'dip', limit: 20 } },
  'Strategies.Create': { body: { ...definitionExample, execution_config: { fee_pct: 0.001, slippage_pct: 0.0005 } } },
  'Strategies.Update': { body: { reward_factor: 3, execution_config: { max_hold_bars: 200 } } },
  'Strategies.SetStatus': { body: { status: 'paper' } },
  'Strategies.SetExecutionState': { body: { execution_state: { cash_balance: 10_000, account_value: 10_000 } } },
  'Signals.List': { query: { category: 'momentum', limit: 10 } },
  'Signals.Search': { body: { query: 'rsi', search_type: 'name', limit: 10 } },
  'Signals.Match': { body: { user_description: 'price crosses above its average', num_results: 5 } },
  'Signals.Evaluate': { body: { market_data: marketDataExample, params: { window: 5 } } },
  'Signals.EvaluateScoped': {
    body: { signal_name: 'rsi_oversold', market_data: marketDataExample, params: { window: 5 } },
  },
  'Signals.EvaluateMultipleSeries': {
    body: {
      ...{ symbol: 'BTC', start_date: '2024-03-01', end_date: '2024-03-10', chart_timeframe: '4h' },
      signals: [{ name: 'rsi_oversold', timeframe: '1D', params: { window: 7 } }],
    },
  },
  'Signals.Validate': {
    body: {
      code: 'function own_cross(bars) { return bars.length > 3; }',
      params: { window: { type: 'int', min: 2, max: 50 } },
      description: 'true from the fourth bar on',
      rule_name: 'own_cross',
    },
  },
  'Signals.ValidateParams': { body: { parameters: { window: 14 } } },
  'Execution.Evaluate': { body: { persist: false } },
  'Execution.EvaluateInline': { body: { strategy: definitionExample } },
  'Execution.EvaluateBulk': { body: { strategy_configs: [definitionExample], persist: false } },
  'Execution.GetPortfolio': { query: { strategy_ids: ID } },
  'Execution.ListAccounts': { query: { account_type: 'paper' } },
  'Execution.CreateAccount': { body: { account_type: 'paper', name: 'First', initial_balance: 10_000 } },
  'Execution.UpdateAccount': { body: { name: 'Second', max_risk_per_trade: 0.02 } },
  'Execution.ListPositions': { query: { status: 'open', limit: 20 } },
  'Execution.ListTrades': { query: { outcome: 'win', limit: 20 } },
  'Backtests.Run': { body: { ...run, ...riskExample } },
  'Backtests.RunBulk': { body: { ...bulk, ...riskExample } },
  'Backtests.Submit': { body: run },
  'Backtests.History': { query: { asset: 'BTC', limit: 20 } },
  'Backtests.GetAudit': { query: { cuts: 5, seed: 42 } },
  'Batch.Run': { body: run },
  'Batch.Submit': { body: run },
  'Batch.RunBulk': { body: bulk },
  'Experiments.Create': { body: experimentExample },
  'Experiments.Replace': { body: { ...experimentExample, description: 'with a reason' } },
  'Experiments.List': { query: { limit: 20 } },
  'Experiments.GetHonesty': { query: { by: 'sharpe_ratio', min_trades: 0 } },
  'Experiments.GetReport': { query: { by: 'sharpe_ratio', min_trades: 0 } },
  'Catalogue.ListSignals': { query: { type: 'TRIGGER', search: 'cross' } },
  'Simulations.Run': {
    body: {
      strategy_config: definitionExample,
      dataset: { asset: 'BTC', timeframe: '1h' },
      ...days,
      execution_config: { fee_pct: 0.001 },
    },
  },
  'Simulations.Generate': { body: { prompt: 'buy dips of BTC in an uptrend', asset: 'BTC', timeframe: '1h', n: 5 } },
  'Sieve.Score': {
    body: {
      strategies: [{ asset: 'BTC', entry: definitionExample.entry, exit: [], execution_config: { fee_pct: 0.001 } }],
    },
  },
  'Simulations.History': { query: { limit: 20 } },
  'PromoCodes.Create': { body: { ...code, trial_days: 14, max_redemptions: 5, expires_at: '2099-01-01' } },
  'PromoCodes.Validate': { body: code },
  'PromoCodes.Redeem': { body: code },
  'Webhooks.Create': { body: { url: 'https://example.com/hook', events: ['backtest.completed'] } },
  'Webhooks.ListDeliveries': { query: { status: 'delivered', limit: 20 } },
  'Deployed.ListEvents': { query: { limit: 20 } },
  'Corpus.Query': {
    body: {
      table: 'ohlcv',
      select: ['asset', 'timestamp', 'close'],
      filters: [
        { col: 'asset', op: '=', value: 'BTC' },
        { col: 'timestamp', op: '>=', value: '2024-01-01T00:00:00Z' },
      ],
      order_by: [{ col: 'close', dir: 'asc' }],
      limit: 5,
    },
  },
  'Corpus.ListResults': { query: { status: 'ok', min_trades: 30, sort: 'sortino_ratio', limit: 20 } },
  'MarketData.ListTrades': { query: { ...recorded, limit: 20 } },
  'MarketData.ListQuotes': { query: { ...recorded, limit: 20 } },
  'MarketData.GetLatestBar': { query: { period: 'ONE_HOUR' } },
  'MarketData.ListMinuteBars': { query: { ...window, limit: 20 } },
  'MarketData.GetPeriodBar': { query: { period: 'ONE_HOUR', end_time: '2024-01-01T06:00:00Z' } },
  'Social.GetSentiment': { query: { hours_back: 24 } },
  'Social.ListMentions': { query: { hours_back: 24, limit: 5 } },
  'OnChain.GetSentiment': { query: { symbol: 'ETH', chain: 'ethereum' } },
  'OnChain.ScreenSmartMoney': { query: { timeframe: '24h', limit: 5 } },
  'OnChain.ListHistoricalHoldings': { body: { chains: ['ethereum'], date_range: range, ...chainRows } },
  'OnChain.ListDexTrades': { body: { chains: ['ethereum'], filters: { min_amount_usd: 5_000 }, ...chainRows } },
  'OnChain.ListPerpTrades': { body: { filters: { token_symbol: 'BTC' }, ...chainRows } },
  'OnChain.ListTokenDexTrades': { body: { chain: 'ethereum', date_range: range, ...chainRows } },
  'OnChain.ListTokenFlows': { body: { chain: 'ethereum', date_range: range, page: 1, per_page: 5 } },
  'OnChain.ReadSeries': {
    body: { symbol: 'ETH', metrics: ['SmartMoneyNetflow'], interval: '4h', chain: 'ethereum', date_range: range },
  },
  'CryptoAssets.Query': { query: { min_score: 10, limit: 20 } },
  'CryptoAssets.GetCandles': { query: { days: 7 } },
  'CryptoAssets.SetRegulatoryStatus': { body: { status: 'approved' } },
  'CryptoAssets.SetSecurityStatus': { body: { status: 'secure' } },
};

/** Empty for a request that its path says whole. */
export const exampleOf = (method: MethodName): Example => examples[method] ?? {};
