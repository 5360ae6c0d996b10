import type { Asked } from './asked.js';

/** Words of the glossary, by their anchors. */
export const askedOfGlossary: Asked = {
  short: `can I go short; sell short; bet on falling prices; short and long; bear market positions`,
  leverage: `margin trading; 10x; trade with borrowed money; liquidation price; futures with leverage`,
  freqtrade: `coming from freqtrade; import freqtrade candles; freqtrade feather; other backtesting programs`,
  bar: `what is a candle; ohlc; open high low close; bar chart; price bar`,
  interval: `what is a timeframe; 1h, 4h, 1d, 15m; granularity; candle length; hourly or daily`,
  resampling: `
    build 4h from 1h; coarser candles; convert candles to a longer timeframe; multi timeframe analysis; how are weekly
    candles built; from minutes to hours; combine candles`,
  'look-ahead': `
    looking into the future; future information; cheating backtest; data leakage; hindsight; uses tomorrow's price`,
  'warm-up': `
    why is the start empty; burn in; bars before first value; preload history; how much history does an indicator need`,
  column: `extra series; additional data; exogenous variable; custom field`,
  gap: `
    holes in price data; missing days; missing rows; weekend gap; price jump; hours are missing in my data; hole in
    the prices`,
  catalogue: `stored market data; local database of prices; data store; which symbols are stored`,
  strategy: `what is a strategy; trading rules; trading plan; expert advisor; robot`,
  signal: `what is a signal; buy condition; what makes it buy; rule`,
  trigger: `what starts an entry; event; fires once; what is a trigger; the moment of the entry; one time event`,
  filter: `
    what is a filter; state; confirm; only trade when; trend filter; market regime; only in an uptrend; only when the
    trend is up; condition that must stay true`,
  indicator: `what is an indicator; technical analysis; ta; study`,
  formula: `own expression; custom rule text; equation`,
  'refused-rule': `rule ignored; signal not applied; left out`,
  'moving-average': `sma; ema; smoothing line; average price of the last days; 200 day average`,
  'golden-cross': `50 day crosses above 200 day; fast average over slow; bullish cross`,
  'death-cross': `50 day crosses below 200 day; bearish cross`,
  oversold: `sold too much; fallen too far; cheap; buy the dip; due for a bounce`,
  overbought: `bought too much; risen too far; too expensive; due for a pullback`,
  divergence: `price makes a lower low but the oscillator does not; price and momentum disagree`,
  squeeze: `low volatility before a move; tight range; coil; bands narrow`,
  breakout: `price leaves the range; new high; break of resistance; break of support; n day high; turtle`,
  fill: `when is an order done; executed price; order execution`,
  slippage: `
    worse price than expected; cost of market orders; price moves against me; bid ask spread; got a worse price`,
  fee: `exchange commission; cost per trade; trading costs`,
  funding: `perpetual swap payments; eight hour payments; longs pay shorts`,
  stop: `limit the loss; cut losses; protective stop; sl; stop out; hard stop`,
  target: `take profit; tp; profit goal; where to cash in; limit the gain; reward to risk`,
  'trailing-stop': `stop that follows the price; lock in profit; move stop up; ratchet`,
  'position-size': `how much to buy; amount per trade; capital per trade; lots; allocation; stake amount`,
  cooldown: `
    pause after losses; stop trading after a losing streak; wait before the next trade; revenge trading; kill switch;
    rest after losses; stop buying after being stopped out`,
  'denied-entry': `order not executed; skipped trade; blocked entry; why was my trade refused`,
  'account-exhausted': `
    ran out of money; account blown; broke; balance too low; bankrupt; liquidated; it says exhausted; nothing left to
    trade with; went bust`,
  'paper-account': `fake money; practice account; virtual trading; simulated live trading; demo`,
  equity: `
    account value over time; portfolio curve; balance chart; net worth; growth of the account; account line; money
    over time; equity curve`,
  drawdown: `
    loss from the peak; how much did I lose at worst; biggest dip; under water; decline; worst losing phase; days
    until it got back to its old high; fall from the high water mark; account is down from its top`,
  'sharpe-ratio': `
    return per risk; risk adjusted; what is a good sharpe; reward to variability; what does sharpe mean; difference
    between sharpe and sortino`,
  'sortino-ratio': `downside risk; only bad volatility; return per downside`,
  'calmar-ratio': `return to drawdown; mar`,
  'compound-annual-growth-rate-cagr': `
    yearly return; return per year; growth rate; annualised return; percent per year`,
  'win-rate': `how often do I win; share of winners; percentage of winning trades; hit ratio; strike rate`,
  'profit-factor': `gains divided by losses; won money over lost money`,
  expectancy: `average profit per trade; edge; expected profit; what do I earn per trade; what does a trade bring`,
  'profit-and-loss-pnl': `how much did I earn; money made; p/l; gain; net result; profit in dollars`,
  exposure: `how long was I invested; time in the market; share of time in a trade; idle time`,
  turnover: `how much is traded; trading volume of the strategy; churn`,
  'buy-and-hold': `just holding; compare with holding bitcoin; hodl; do nothing; passive; benchmark`,
  alpha: `return beyond the market; excess return; beat the market; outperform`,
  beta: `
    moves with the market; correlation with bitcoin; market dependence; sensitivity; does the strategy follow the coin`,
  'value-at-risk-var': `how much can I lose on a bad day; worst day; tail risk; daily risk`,
  'expected-shortfall-cvar': `average of the worst days; tail loss; how bad are bad days`,
  'kelly-fraction': `optimal bet size; how much of my capital to risk; kelly betting`,
  'excursion-mae-mfe': `
    how far did trades go against me; heat of a trade; unrealised loss before the exit; missed profit`,
  'tear-sheet': `report of a run; html page with charts; picture of the equity curve; graph; plots; visual`,
  manifest: `what was a run made of; record of a run; provenance; reproduce`,
  sweep: `try many settings; optimise; parameter scan; grid`,
  'model-based-search': `search that learns; bayesian; hyperopt; optuna; clever search`,
  'walk-forward': `train then test; out of sample; validate on later data; rolling optimisation`,
  overfitting: `
    curve fit; works only on the past; fitted to noise; too many parameters; data mining; over-optimised; am I curve
    fitting; memorised the past; too well fitted; looks too smooth`,
  'probability-of-backtest-overfitting-pbo': `
    chance of being overfitted; combinatorial cross validation; what does pbo mean`,
  'deflated-sharpe-ratio-dsr': `
    sharpe corrected for many trials; bailey lopez de prado; luck of the best; what does dsr mean; corrected sharpe`,
  experiment: `sweep on the server; batch job`,
  corpus: `all result rows; database of past runs; sql`,
  'api-key': `
    password for the api; access token; secret; log in to the api; credential; where is my key; secret for calls`,
  scope: `what may a key do; permission; access right; allowed to`,
  'rate-limit': `calls per minute; throttled; too many calls; 429; slow down`,
  'idempotency-key': `send a request twice safely; avoid double runs; retry header`,
  webhook: `tell me when it is done; push message; notification to a url`,
  'wallet-payment': `pay from a crypto wallet; pay per request; no account`,
  worker: `
    background process; computing node; more machines; takes jobs; spread load over several boxes; second machine`,
};
