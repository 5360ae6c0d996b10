import type { MethodName } from '../rpc/index.js';

/** What a tool has beyond the route of its method. */
export interface ToolNote {
  /** What follows the name of the set. Default: that of the method, such as `get_status`. */
  readonly name?: string;
  /** A sentence for agents, about when to call it or what to call next. */
  readonly advice?: string;
  /** True for a POST that stores nothing. A GET never does. */
  readonly isRead?: true;
}

interface ToolSet {
  readonly about: string;
  /** Whether a client that names no sets gets it. */
  readonly isDefault: boolean;
  /** Whether its answers may come from a provider outside of this service. */
  readonly isOpenWorld?: true;
  readonly methods: Readonly<Partial<Record<MethodName, ToolNote>>>;
}

/**
 * Methods that agents can call, in sets that a client chooses from: a long list of tools costs an
 * agent more attention than it is worth. Schemas, descriptions and access come from the routes.
 */
export const toolSets = {
  signals: {
    about: 'the library of signals: find, read, validate and evaluate them',
    isDefault: true,
    methods: {
      'Signals.List': {},
      'Signals.Get': { advice: 'Read a signal before you put it into a strategy: parameters have bounds.' },
      'Signals.Search': { isRead: true },
      'Signals.Match': { isRead: true, advice: 'The way from an idea in plain words to signals.' },
      'Signals.EvaluateMultipleSeries': { isRead: true },
      'Signals.ValidateParams': { isRead: true },
      'Signals.Validate': { isRead: true },
    },
  },
  strategies: {
    about: 'stored strategies: write, read, change, archive',
    isDefault: true,
    methods: {
      'Strategies.ListMine': { name: 'list' },
      'Strategies.Get': {},
      'Strategies.Create': {},
      'Strategies.Update': { advice: 'Store a variant as a new strategy where you want to compare the two.' },
      'Strategies.SetStatus': {},
      'Strategies.Archive': {},
      'Strategies.Unarchive': {},
      'Strategies.Delete': { advice: 'It cannot be undone; archiving can.' },
    },
  },
  backtests: {
    about: 'backtests with their trades, audits, manifests and replays',
    isDefault: true,
    methods: {
      'Backtests.Submit': { advice: 'Poll with backtests_get_status, or call backtests_run, which waits.' },
      'Backtests.GetStatus': {},
      'Backtests.Get': {},
      'Backtests.ListTrades': {},
      'Backtests.History': {},
      'Backtests.RunBulk': {},
      'Backtests.GetAudit': { advice: 'Audit a strategy before you believe a good result of it.' },
      'Backtests.GetManifest': {},
      'Backtests.Replay': { isRead: true },
      'Backtests.Cancel': {},
      'Sieve.Score': {
        name: 'forecast',
        isRead: true,
        advice: 'A guess without a run, to leave out strategies that are unlikely to trade.',
      },
      'Backtests.Archive': {},
      'Backtests.Unarchive': {},
    },
  },
  experiments: {
    about: 'sweeps over many configurations, and how far the best of them can be believed',
    isDefault: true,
    methods: {
      'Experiments.Create': {
        advice: 'Then experiments_validate and experiments_launch, or experiments_run for all three.',
      },
      'Experiments.List': {},
      'Experiments.Get': {},
      'Experiments.Replace': {},
      'Experiments.Validate': {},
      'Experiments.Launch': {},
      'Experiments.Pause': {},
      'Experiments.Cancel': {},
      'Experiments.Delete': {},
      'Experiments.GetHonesty': {
        advice: 'Call it before you say anything good about the best run of a sweep: the best of many is partly luck.',
      },
    },
  },
  results: {
    about: 'rows of results and of bars: filter, sort, page',
    isDefault: true,
    methods: {
      'Corpus.ListResults': { name: 'list' },
      'Corpus.Query': { isRead: true },
    },
  },
  market: {
    about: 'which bars are held, and trades, quotes and bars of the market',
    isDefault: true,
    isOpenWorld: true,
    methods: {
      'Catalogue.ListDatasets': { advice: 'Assets, intervals and dates of the held bars.' },
      'MarketData.GetLatestTrade': {},
      'MarketData.ListTrades': {},
      'MarketData.GetLatestQuote': {},
      'MarketData.ListQuotes': {},
      'MarketData.GetLatestBar': {},
      'MarketData.ListMinuteBars': {},
      'MarketData.GetPeriodBar': {},
    },
  },
  knowledge: {
    about: 'the documentation: search, pages, words, indicators, settings',
    isDefault: true,
    methods: {
      'Knowledge.Search': {},
      'Knowledge.GetDocument': {},
      'Knowledge.GetTerm': {},
      'Knowledge.ListIndicators': {},
      'Knowledge.GetIndicator': {},
      'Knowledge.Compute': { isRead: true },
      'Catalogue.ListTemplates': { name: 'list_sweep_templates' },
      'Catalogue.GetExecutionDefaults': {},
    },
  },
  assistant: {
    about: 'a conversation that leads from an idea in words to a tested strategy',
    isDefault: false,
    methods: {
      'Assistant.List': { name: 'list_conversations' },
      'Assistant.Get': { name: 'get_conversation' },
      'Assistant.SaveStrategy': { advice: 'Give the strategy_config of the conversation.' },
    },
  },
  execution: {
    about: 'paper accounts, positions and the evaluation of strategies at the last bar',
    isDefault: false,
    methods: {
      'Execution.Evaluate': {},
      'Execution.EvaluateInline': { isRead: true },
      'Execution.GetPortfolio': {},
      'Execution.ListAccounts': {},
      'Execution.CreateAccount': {},
      'Execution.GetAccount': {},
      'Execution.UpdateAccount': {},
      'Execution.ListPositions': {},
      'Execution.GetPosition': {},
      'Execution.ListTrades': {},
    },
  },
  deployed: {
    about: 'deployed paper strategies and their events',
    isDefault: false,
    methods: {
      'Deployed.GetLeaderboard': {},
      'Deployed.ListStrategies': {},
      'Deployed.GetState': {},
      'Deployed.ListEvents': {},
    },
  },
  simulations: {
    about: 'strategies over generated markets',
    isDefault: false,
    methods: {
      'Simulations.Run': {},
      'Simulations.Generate': { isRead: true },
      'Simulations.ListPresets': {},
      'Simulations.History': {},
    },
  },
  usage: {
    about: 'what the organization has used of its limits',
    isDefault: false,
    methods: { 'Usage.Get': {}, 'Usage.ListPrices': {}, 'Usage.ListTiers': {}, 'Usage.GetUtilization': {} },
  },
  assets: {
    about: 'facts, markets and risks of crypto assets',
    isDefault: false,
    isOpenWorld: true,
    methods: {
      'CryptoAssets.Query': {},
      'CryptoAssets.Get': {},
      'CryptoAssets.ListExchanges': {},
      'CryptoAssets.ListExchangesOf': {},
      'CryptoAssets.GetTrending': {},
      'CryptoAssets.GetGlobalMarket': {},
      'CryptoAssets.GetMarketData': {},
      'CryptoAssets.GetCandles': {},
      'CryptoAssets.AnalyseRisk': { isRead: true },
    },
  },
  onchain: {
    about: 'flows, holders and large transfers on chains',
    isDefault: false,
    isOpenWorld: true,
    methods: {
      'OnChain.GetSentiment': {},
      'OnChain.ScreenSmartMoney': {},
      'OnChain.GetConcentration': {},
      'OnChain.ListWhaleTransactions': {},
      'OnChain.GetExchangeFlows': {},
      'OnChain.GetWhaleActivity': {},
      'OnChain.GetTokenHolders': { isRead: true },
      'OnChain.GetFlowIntelligence': { isRead: true },
      'OnChain.ListNetflows': { isRead: true },
      'OnChain.ListHoldings': { isRead: true },
      'OnChain.ListHistoricalHoldings': { isRead: true },
      'OnChain.ListDexTrades': { isRead: true },
      'OnChain.ListPerpTrades': { isRead: true },
      'OnChain.ListTokenDexTrades': { isRead: true },
      'OnChain.ListTokenFlows': { isRead: true },
      'OnChain.ReadSeries': { isRead: true },
    },
  },
  defi: {
    about: 'value locked, stablecoins, unlocks, funding, treasuries, lending',
    isDefault: false,
    isOpenWorld: true,
    methods: {
      'Defi.GetProtocolTvl': {},
      'Defi.GetChainTvl': {},
      'Defi.GetStablecoins': {},
      'Defi.ListTokenUnlocks': {},
      'Defi.ListPerpFunding': {},
      'Defi.ListTreasuries': {},
      'Defi.ListEtfFlows': {},
      'Defi.ListLendingRates': {},
    },
  },
  social: {
    about: 'posts about coins: sentiment, mentions, influence',
    isDefault: false,
    isOpenWorld: true,
    methods: { 'Social.GetSentiment': {}, 'Social.ListMentions': {}, 'Social.GetInfluence': {} },
  },
} as const satisfies Readonly<Record<string, ToolSet>>;

export type SetName = keyof typeof toolSets;

export const setNames = Object.keys(toolSets) as readonly SetName[];

/** The sets by name, with the optional keys of the table. */
export const setOf = (name: SetName): ToolSet => toolSets[name];

/** The method `Backtests.GetStatus` of the set `backtests` becomes `backtests_get_status`. */
export function nameOf(set: SetName, method: string, { name }: ToolNote): string {
  const [, own = ''] = method.split('.');
  return `${set}_${name ?? own.replace(/(?<=[a-z])[A-Z]/g, (capital) => `_${capital}`).toLowerCase()}`;
}
