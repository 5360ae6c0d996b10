/**
 * What basic words mean, in English. `called` are the words that people have for a thing, in lower
 * case and separated by `|`; the tables of the other languages define the same things.
 */
export const english = {
  backtest: {
    called: 'backtest|backtests|backtesting|back test|backtested',
    means:
      'A backtest runs trading rules over past prices, bar by bar, and shows what they would have earned after costs. It tells about the past; the future may differ.',
  },
  candle: {
    called: 'candle|candles|candlestick|candlesticks|bar|bars|ohlc|ohlcv|kline',
    means:
      'A candle, or bar, has the prices of one interval: open, high, low and close, with the volume that was traded. On a 4h chart each candle covers four hours.',
  },
  timeframe: {
    called: 'timeframe|timeframes|time frame|time frames|interval|chart interval|4h chart|daily chart|hourly chart',
    means:
      'The timeframe is how much time one candle covers, such as 1h, 4h or 1d. Rules are checked once a candle, when it closes.',
  },
  asset: {
    called: 'asset|assets|coin|coins|symbol|pair|trading pair|ticker',
    means: 'An asset is what is traded, such as BTC or ETH, priced in dollars here.',
  },
  long: {
    called: 'long|going long|go long|to go long|long position|being long',
    means: 'Long means that you buy first and sell later: you gain when the price rises and lose when it falls.',
  },
  short: {
    called: 'short|shorting|going short|go short|to go short|short position|short selling|short sale|being short',
    means:
      'Short means that you sell something borrowed first and buy it back later: you gain when the price falls, and a rising price can cost more than you put in.',
  },
  position: {
    called: 'position|positions|open position|open trade',
    means: 'A position is what you hold between an entry and its exit.',
  },
  trade: {
    called: 'trade|trades|round trip',
    means: 'A trade is one entry with its exit, with the profit or loss between the two after costs.',
  },
  entry: {
    called: 'entry|entries|entry rule|entry signal',
    means: 'The entry is the moment when a position is opened: the trigger is true and all filters hold.',
  },
  exit: {
    called: 'exit|exits|exit rule|exit signal',
    means:
      'The exit is the moment when a position is closed: by an exit rule, the stop, the target, or the end of the data.',
  },
  stop: {
    called: 'stop|stops|stop loss|stop-loss|stoploss|stop loss order|sl',
    means:
      'A stop, or stop-loss, is a price at which a losing position is closed, so that one trade loses no more than planned. "A stop of 3 %" closes a long position 3 % below its entry; a gap in prices can fill it lower.',
  },
  trailing_stop: {
    called: 'trailing stop|trailing|trailing stop loss|trailing-stop',
    means: 'A trailing stop follows the price while it moves your way and stays where it is when the price turns.',
  },
  target: {
    called: 'target|targets|take profit|take-profit|profit target|tp',
    means:
      'A target, or take profit, is a price at which a winning position is closed. Here it is a multiple of the distance to the stop: with a stop of 3 % and a target of 2 times the risk it lies 6 % above the entry.',
  },
  reward_factor: {
    called: 'r|1r|2r|3r|r multiple|risk reward|risk/reward|risk reward ratio|reward to risk|reward factor|rr',
    means:
      'R is the amount that a trade risks, from its entry to its stop. A target of 2R lies twice as far from the entry as the stop.',
  },
  drawdown: {
    called: 'drawdown|drawdowns|draw down|max drawdown|maximum drawdown|largest drawdown|dd|mdd',
    means:
      'A drawdown is how far the account fell from its highest value to the low that followed, as a share of that peak. The largest one says how much you would have had to sit through.',
  },
  sharpe: {
    called: 'sharpe|sharpe ratio|sharp ratio',
    means:
      'The Sharpe ratio is the average return divided by how much returns vary, for a year: more return for less up and down makes it higher. About 1 is decent over many years, and a high one over few trades may be luck.',
  },
  sortino: {
    called: 'sortino|sortino ratio',
    means: 'The Sortino ratio is a Sharpe ratio that counts only the falls as risk.',
  },
  return: {
    called: 'return|returns|total return|yield|roi',
    means: 'The return is what the account gained or lost as a share of what it started with, after costs.',
  },
  win_rate: {
    called: 'win rate|winrate|hit rate|win ratio|win percentage',
    means:
      'The win rate is the share of trades that made money. Alone it says little: many small wins and a few large losses can still lose.',
  },
  profit_factor: {
    called: 'profit factor',
    means: 'The profit factor is the sum of all wins divided by the sum of all losses: above 1 the trades made money.',
  },
  streak: {
    called: 'losing streak|streak|losing run',
    means: 'A losing streak is a row of losing trades without a win between them.',
  },
  fee: {
    called: 'fee|fees|commission|commissions|trading fee|trading fees|trading costs|maker fee|taker fee',
    means: 'A fee is what an exchange takes of each fill, so a trade pays it twice: when it buys and when it sells.',
  },
  slippage: {
    called: 'slippage|slip',
    means:
      'Slippage is the difference between the price that you expect and the price that you get, because the market moves or there is too little on offer. It is a cost of each fill.',
  },
  spread: {
    called: 'spread|bid ask spread|bid-ask spread',
    means: 'The spread is the gap between the best price to buy and the best price to sell; crossing it is a cost.',
  },
  basis_point: {
    called: 'basis point|basis points|bp|bps',
    means: 'A basis point is a hundredth of a percent: 10 bps are 0.1 %.',
  },
  leverage: {
    called: 'leverage|leveraged trading|3x leverage|margin|margin trading',
    means:
      'Leverage means that you trade with more than you own, with borrowed money: 3x makes gains and losses three times as large, and a fall of a third can take everything.',
  },
  liquidation: {
    called: 'liquidation|getting liquidated|liquidated|margin call',
    means: 'A liquidation is when the exchange closes a leveraged position because its losses have used up the margin.',
  },
  funding: {
    called: 'funding|funding rate|funding rates',
    means:
      'Funding is what holders of perpetual futures pay each other every few hours, so that their price stays near spot.',
  },
  trigger: {
    called: 'trigger|triggers',
    means:
      'A trigger is the event that opens a trade, true on the bar where something happens, such as one average crossing another.',
  },
  filter: {
    called: 'filter|filters',
    means:
      'A filter is a state that must hold at the bar of the trigger, such as "the close is above its 200-day average". It lets fewer trades through.',
  },
  signal: {
    called: 'signal|signals|trading signal',
    means: 'A signal is a named condition that is true or false on each bar, such as "RSI crosses above 30".',
  },
  indicator: {
    called: 'indicator|indicators|technical indicator|oscillator',
    means:
      'An indicator is a number computed from past prices or volumes, one for each bar, such as a moving average or the RSI.',
  },
  strategy: {
    called: 'strategy|trading strategy|strategies',
    means:
      'A strategy is a set of rules: when to buy, when to sell, where the stop and the target lie, and how much to risk.',
  },
  candidate: {
    called: 'candidate|candidates',
    means: 'A candidate is one complete set of rules that I put together from your idea, ready to be tested.',
  },
  position_size: {
    called: 'position size|position sizing|size of a position|trade size|sizing',
    means:
      'The position size is how much of an asset a trade buys. Here it follows from the risk: the account times the risk per trade, divided by the distance to the stop, and never more than the account.',
  },
  risk: {
    called: 'risk|risk per trade|max risk|risk management',
    means:
      'The risk per trade is the share of the account that one trade may lose if its stop is hit. With 1 % of 10,000 a trade may lose 100, before costs and gaps.',
  },
  equity: {
    called: 'equity|equity curve|account value|account balance',
    means:
      'Equity is what the account is worth at a moment: cash and the value of what it holds. Its line over time is the equity curve.',
  },
  buy_and_hold: {
    called: 'buy and hold|buy-and-hold|holding|hodl|hodling|benchmark',
    means:
      'Buy and hold means to buy at the start and keep it to the end. A strategy that earns less, for as much risk, was not worth its trades.',
  },
  overfitting: {
    called: 'overfitting|overfit|curve fitting|curve-fitting|over fitting|overfitted',
    means:
      'Overfitting means that rules were chosen until they fit the noise of past prices. They look good in the backtest and fail on new data; the more variants you try, the likelier it is.',
  },
  holdout: {
    called: 'holdout|hold-out|hold out|out of sample|out-of-sample|oos|test set|in sample',
    means:
      'A holdout is a part of the history that is kept aside while rules are chosen, and used once at the end to see whether they hold on data that nobody looked at.',
  },
  walk_forward: {
    called: 'walk forward|walk-forward|walk forward test|walk forward analysis|walk forward testing',
    means:
      'A walk-forward test chooses the rules on one stretch of the past and tests them on the next, again and again.',
  },
  look_ahead: {
    called: 'look ahead|look-ahead|lookahead|look ahead bias|lookahead bias|repainting',
    means:
      'Look-ahead means that a rule uses values which were not known yet at that time. It makes a backtest look better than trading would be.',
  },
  parameter_sweep: {
    called: 'sweep|parameter sweep|optimization|optimisation|grid search',
    means:
      'A sweep runs the same rules with many values of their parameters. The best of many is partly lucky, so I judge it as the best of that many.',
  },
  luck: {
    called: 'statistical significance|significance|p value|p-value|luck',
    means:
      'How often luck alone does as well: among as many tries of rules without any edge, the share whose best is as good as yours.',
  },
  paper_trading: {
    called: 'paper trading|paper account|paper trade|demo account|forward test|dry run',
    means: 'Paper trading follows new prices as they come, with rules but without money.',
  },
  warm_up: {
    called: 'warm up|warm-up|warmup|lookback|lookback period',
    means:
      'The warm-up is the first bars, for which an indicator has too little past to have a value; no rule is true on them.',
  },
  moving_average: {
    called: 'moving average|moving averages|ma|sma|simple moving average',
    means:
      'A moving average is the mean of the last closes, such as 50 of them. It smooths the price, and follows it late.',
  },
  ema: {
    called: 'ema|emas|exponential moving average',
    means:
      'An EMA is a moving average that gives recent closes more weight, so it follows the price faster than a simple one.',
  },
  golden_cross: {
    called: 'golden cross|goldencross',
    means:
      'A golden cross is when a fast average, often of 50 bars, rises above a slow one, often of 200. A death cross is the opposite.',
  },
  crossover: {
    called: 'crossover|cross over|cross|ema cross|ma cross|ema crossover',
    means: 'A crossover is the bar on which one line passes another, such as a fast average above a slow one.',
  },
  rsi: {
    called: 'rsi|relative strength index',
    means:
      'The RSI compares recent gains with recent losses on a scale from 0 to 100. Below 30 is called oversold, above 70 overbought.',
  },
  macd: {
    called: 'macd',
    means:
      'The MACD is a fast average of the price minus a slow one. It is compared with its own average, the signal line: a cross above it is called bullish.',
  },
  bollinger: {
    called: 'bollinger|bollinger bands|bollinger band|bbands',
    means:
      'Bollinger bands lie two standard deviations above and below a moving average: wide when prices move much, narrow when they rest.',
  },
  atr: {
    called: 'atr|average true range|true range',
    means:
      'The ATR, average true range, is how far the price usually moves within one bar. Stops that follow it are wider in wild markets.',
  },
  adx: {
    called: 'adx|average directional index',
    means: 'The ADX says how strong a trend is, from 0 to 100, up or down alike. Above 25 is called a strong trend.',
  },
  stochastic: {
    called: 'stochastic|stochastics|stoch',
    means: 'The stochastic says where the close lies between the low and the high of the last bars, from 0 to 100.',
  },
  cci: {
    called: 'cci|commodity channel index',
    means:
      'The CCI says how far the price is from its average, measured in its usual distance. Beyond 100 or -100 is far.',
  },
  supertrend: {
    called: 'supertrend|super trend',
    means:
      'The Supertrend is a line that trails the price by a multiple of the ATR and flips to the other side when the price crosses it.',
  },
  donchian: {
    called: 'donchian breakout|donchian channel breakout|donchian|donchian channel|donchian channels|channel breakout',
    means:
      'A Donchian channel is the highest high and the lowest low of the last bars, such as 20. A close above it is a breakout.',
  },
  keltner: {
    called: 'keltner|keltner channel|keltner channels',
    means: 'Keltner channels lie a multiple of the ATR above and below a moving average.',
  },
  oversold: {
    called: 'oversold|overbought',
    means:
      'Oversold means that the price fell fast and far, by an indicator such as the RSI; overbought is the same upwards. Neither says that it must turn.',
  },
  trend: {
    called: 'trend|trends|trend following|uptrend|downtrend|trend-following',
    means:
      'A trend is a move of prices in one direction over some time. Trend following buys what has been rising and gives up when that ends.',
  },
  mean_reversion: {
    called: 'mean reversion|mean-reversion|reversion to the mean|buying dips|buy the dip|dip|dips',
    means: 'Mean reversion bets that a price which fell far below its average comes back to it: it buys dips.',
  },
  breakout: {
    called: 'breakout|breakouts|break out',
    means:
      'A breakout is when the price leaves the range in which it has been, such as a close above the high of the last 20 bars.',
  },
  momentum: {
    called: 'momentum',
    means:
      'Momentum is how fast the price moves one way. Momentum rules buy what has risen fast, because it often goes on for a while.',
  },
  volatility: {
    called: 'volatility|vol|volatile',
    means: 'Volatility is how much the price goes up and down, whatever its direction.',
  },
  volume: {
    called: 'volume|trading volume',
    means: 'Volume is how much of an asset was traded within a bar.',
  },
  liquidity: {
    called: 'liquidity|liquid|illiquid',
    means:
      'Liquidity is how much can be bought or sold without moving the price. Where there is little, slippage is large.',
  },
  bull_bear: {
    called: 'bullish|bearish|bull market|bear market',
    means: 'Bullish means that prices are expected to rise, bearish that they are expected to fall.',
  },
} as const;
