import { type PhraseTable, pairs } from './table.js';

/** How people say in English what the grammar reads; phrases are separated by `|`. */
export const english: PhraseTable = {
  buy: 'buy|= buy|= long|-> buy|-> long|=> buy|=> long|go long|enter long|long entry|long|enter|entry|purchase|get in|to get in|getting in|jump in|hop in|go in|get me in|step in|buying|bying|buyy|a long|go long on|longs|open a long|open long|open longs|get long|enter longs|long entries|l on|l when|l if',
  'sell when': `out:|out on|out at|exit on|exit at|leave on|get out on|get out at|close on|${pairs('close|close it|dump|dump it|dump em|bail|bail out|out|leave|flat|go flat|take profit|take profits|get out|longs close|the longs close', 'when|if|once|as soon as|whenever|wen|whn')}|${pairs('longs exit|the longs exit|longs exits|longs get out|longs out|longs close', 'on|at|when|if|once|wen')}`,
  sell: 'sell|dump it|= close|-> close|=> close|longs exit|longs exits|longs get out|longs leave|close it|close the trade|close my position|= out|= exit|= sell|-> out|-> exit|-> sell|=> out|=> exit|=> sell|exit|exits|get out|close the position|selling|go flat|flatten|flat out|get me out|cash out|sel|close out|exit long|exit longs|long exit|close the long|close long|close longs|exit the long|sell the long|long exits|close the longs|exit the longs|out of the long|get out of the long|get out of longs|leave the long|long out',
  short:
    'short|= short|= go short|-> short|=> short|shorting|sell short|go short|going short|short sell|bet against|puts|enter short|enter shorts|short entry|short entries|open a short|open short|open shorts|shorts|a short|short it|sell it short|go short on|selling short|shorted|get short|fade|s on|s when|s if',
  when: 'when|at the close when|at the close if|on the close when|on the close if|at close when|at close if|on close when|on close if|whenever|as soon as|once|if|each time|every time|any time|wen|whn|wenever|only once',
  'only when': 'only if|only when|but only if|but only when|only take it when|only take it if',
  live_order:
    'for me right now|for me now|live|real money|real cash|real funds|actual money|my own money|trade for real|do it for real|place an order|place the order|place orders|place a trade|place the trade|place the trades|execute the trade|execute trades|execute it|trade for me|trade it for me|buy it for me|buy for me|invest for me|send the order|send orders',
  back: 'back inside|back into|back within',
  scratch_that: 'no wait|wait no|scratch that|no sorry|make that',
  unless: 'unless|except when|except if|but never|never|but not when|but not if|not when|not if',
  price: 'the close|close|price|the price|closing price|the price|prices',
  'price cross': 'closes|price closes|the close closes',
  'cross back': `opposite cross|opposite crossover|reverse cross|crosses the other way|cross the other way|opposite signal|${pairs('opposite|reverse|reversed|inverse|contrary|other', 'cross|crossover|crossing|signal')}`,
  cross:
    'cross|crosses|crossing|crossed|crossover|breaks|break|breaking|flip|flips|flipped|flipping|turns|turning|pierces|goes|gets|moves|dips|xes|xing|xs|xover|xovers',
  'cross above':
    'rises|climbs|crosses up|cross up|crosses up through|breaks out above|rises back above|flips bullish|crosses bullish|bullish cross|crosses up over|crosses back above|crosses back over|reclaims|reclaim|reclaimed|flips long|flips to long|turns long|flips green|turns green|goes green|x above|x over|xs above|xs over|xes above|xes over|xing above|xing over|xd above|xd over|xes back above|xes back over|x back above|crossing up|crossing above|crossing over|turns up|turns bullish|flips up|turn green|flip green|cross over|crosses over|crosses up thru|cross up thru|moves above|goes above|gets above|breaks above|pops above|closes back above',
  'cross below':
    'falls|drops|crosses down|cross down|crosses down through|falls back|bearish cross|crosses bearish|breaks down|crosses back below|crosses back under|flips short|flips to short|turns short|flips red|turns red|goes red|x below|x under|xs below|xs under|xes below|xes under|xing below|xing under|xd below|xd under|xes back below|xes back under|x back below|crossing down|crossing below|crossing under|turns down|turns bearish|flips down|turn red|flip red|cross under|crosses under|crosses down thru|cross down thru|crosses dwn thru|moves below|goes below|gets below|breaks below|closes back below',
  above:
    'above|over|greater than|higher than|more than|at least|up through|exceeds|upwards|up|upward|north of|to the upside|abv|ovr|abov|crosses thru to the upside',
  below:
    'below|under|less than|lower than|beneath|down through|downwards|down|beneath|downward|south of|to the downside|blw|undr|belo|bellow|beneth',
  breakout: 'breakout|breakouts|break out|breaks out|new highs|new high',
  lower: 'lower',
  upper: 'upper',
  oversold: 'oversold',
  overbought: 'overbought',
  'since january': 'since early|since the start of|since the beginning of|from the start of|from the beginning of',
  'since july': 'since mid|since the middle of',
  since: 'since|starting|starting in|after|from|beginning|as of',
  until: 'until|till|til|up to|through',
  to: 'to|thru',
  only: 'only|just|solely',
  in: 'in|during',
  last: 'last|past|previous|recent',
  risk: 'risk|risking|lose|at risk',
  stop: 'stopp loss|stopp-loss|stop los|sl|stop loss|stop-loss|stoploss|stop',
  trailing:
    'trailing|trail|trails|moving stop|trailing sl|trailing stop loss|trailing stop-loss|trailed|trail it|follows the price|follow the price|follows price',
  leverage: 'leverage|lev|leveraged|margin|gearing|geared',
  account:
    'account|equity|capital|balance|bankroll|starting money|portfolio|acct|acc|stack|starting balance|starting capital|initial capital|initial balance',
  fee: 'comm|fee|fees|commission|commissions|trading costs|costs|fees of',
  slippage: 'slippage|slip',
  without:
    'without|no|excluding|exclude|except|avoid|but not|not|drop|remove|free of|forget the|ignore the|skip the|ditch the|lose the|leave out the|leave out|get rid of the|get rid of|take out the|take out|take off the|kill the|scrap the|cut the|minus the|w/o|drop the|drop my|scrap|ditch|zero out|forget|forget about|ignore',
  target: 'tp|target|take profit|reward|aim for|aiming for|profit target',
  'reward ratio':
    'risk reward|risk/reward|risk:reward|reward:risk|reward/risk|reward risk|reward to risk|risk to reward|rr|r:r|r/r|crv|risk reward ratio|risk/reward ratio|reward to risk ratio',
  candidates:
    'candidate|candidates|variant|variants|versions|variations|alternatives|ideas|proposals|setups|options|suggestions|possibilities',
  agree:
    'ye|yh|yee|yeh|aight|ight|alrighty|okie|kk|sounds like a plan|yes|y|yep|yeah|yea|yup|aye|ok|okay|k|go on|go ahead|go|continue|sure|sure thing|proceed|next|do it|looks good|looks fine|looks great|sounds good|sounds great|sounds fine|perfect|sounds about right|looks about right|about right|fine by me|fine with me|works for me|confirmed|confirm|cool|nice|correct|right|agreed|run|run it|start|test it|backtest it|fine|good|great|alright|all right|of course|absolutely|carry on|lets go|exactly|fire away|go for it|lets do it|lets go|looks right|run them|make it so|i agree|that is right|thats right|ya|yah|yess|yesss|yessir|yes sir|aye aye|affirmative|roger|roger that|approved|accepted|i accept|i confirm|ive confirmed|that is it|thats it|that is correct|thats correct|is correct|its correct|it is correct|that is what i meant|thats what i meant|exactly what i meant|what i meant|that is what i want|thats what i want|that is exactly it|that works|works|send it|ship it|start it|start the run|start the test|start the backtest|begin|begin it|kick it off|kick off|launch|launch it|execute|hit it|lets run it|lets run|lets start|lets test it|lets see|run the test|run the backtest|run that|run this|run it back|give it a go|give it a shot|im ready|ready|all good|good to go|green light|lgtm|very well|that is fine|thats fine|that is good|thats good|that is great|im in|all in|im all in|please do|yessss|yep yep|okey|okey dokey|oki|bet|word|dope|lfg|fire it up|pull the trigger|go go|gogo|with the run|the run',
  decline: 'nope|nah|never mind|nevermind|dont|do not|not yet|no thanks|no thank you',
  halt: 'maybe later|perhaps later|later maybe|maybe another time|cancel|abort|halt|quit|stop it|stop here|hold on|wait|dont run it|dont run it yet|dont run yet|dont run anything|dont run anything yet|do not run it|do not run it yet|do not run anything|do not run anything yet|dont start|dont start yet|do not start|not today|leave it for today|leave it for now|leave it at that|sleep on it|i want to sleep on it|gotta go|gtg|not right now|another day|tomorrow maybe|dont test it|dont backtest it|lets stop here|lets leave it|enough for today|thats all for today',
  please:
    'kindly|kindly please|please|pls|then|now|well|so|hm|hmm|just|hi|hello|hey|the rest stays|rest stays|the rest stays the same|rest stays the same|everything else stays|everything else the same|everything else as is|everything else stays the same|keep the rest|leave the rest|keep everything else|rest as is|rest same|the rest as before|tyvm|ta|lol|lmao|haha|bro|dude|mate|man|yo|btw|nvm',
  dont_understand:
    'no idea how|no idea what|i dont understand|dont get it|i do not understand|what do you mean|not following|im lost|confused',
  what: 'what is|what are|whats|what does|what|explain',
  why: 'why|how come',
  'why money': 'where did the money go|where did my money go|where is the money',
  how: 'how much|how many|how often|how|which|who|where',
  is_it:
    'is it|is this|is that|can i|can we|do i|do we|did we|did it|did i|will i|will it|would it|should i|does it|are you|was it|tell me|show me|compare',
  what_if:
    'would it have been better|would it be better|would it do better|would it have done better|would that have been better|would that be better|would it help|would that help|is it better with|is it better without|does it do better|would it improve|how would it look|how would that look|how does it look|how would it do|how does it do|what does it look like|what if|how about using|what about using|how about|what about|can we use|could you use|could we use|what would|what happens with|try|and now|now',
  same: 'the same|same|repeat it|repeat that|repeat the test|rerun it|rerun that|redo it|redo that|rerun',
  instead:
    'instead|one correction|one change|a correction|a small correction|one small correction|one more correction|one more change|rather|actually|sorry|change|make it|switch|correct|sry|srry|soz|my bad|oops|whoops|correction|i meant|i mean|i have mistaken|my mistake|i misspoke|typo|after all|though|i mixed up|scratch|i was wrong|swap|replace|exchange',
  choose:
    'you choose|you decide|you pick|up to you|whatever|no preference|surprise me|defaults|your choice|your call|your pick|you do it|dont care|dont mind|anything goes|anything is fine',
  'day sma': 'day average|days average|bar average|period average|day line',
  doubt:
    'not sure|im not sure|i am not sure|not sure yet|unsure|undecided|no idea|dont know|i dont know|idk|let me think|not certain|im not certain',
  what_then:
    'what happens if i say|what happens when i say|what happens if i agree|what happens if i go on|what happens if i continue|what would happen if i say|what will happen if i say|what if i say|what happens next|what comes next|what happens then|what is next|whats next|what will you do next|what do you do next',
  origin: 'come from|comes from|came from|coming from|what made up|what made the|what caused the|is made of',
  guarantee:
    'guarantee|guaranteed|guarantees|promise|promised|get rich|i am rich|be rich|sure profit|certain profit|will i make money|will it make money|will i earn|will this make money|next year too|in the future|in future|in the future too|keep making money|keep working|will it work|work next year|going to work in the future|makes me money next|make me money next|same next year|again next year',
  money:
    'how much did i make|how much have i made|how much did i earn|how much did i lose|what did i make|how much would i have|how much money would i have|how much would i have now|what would i have|what would i end up with|final balance|ending balance|end balance|final value|how much did it make|make money|made money|lose money|lost money|profit|profitable|profits|earn|earned|gain|gains|p&l|pnl|return|returned|money|how did it do|how did that do|how did they do|how did it perform|how did it go|how did that go|hows it look|how did this do|performance|results|the result|outcome|summary of the run',
  lost: 'lost|loss|losing|losses|bad|lose money|lost money',
  worst:
    'worst|lost the most|lost most|biggest loser|biggest loss|largest loss|worst trade|biggest losing trade|largest losing trade|worst losing trade|worst one|most painful trade|worst loss|biggest hit',
  streak: 'worst losing run|row of losers|losers in a row|streak|in a row|losing streak|losing run|consecutive',
  drawdown: 'max dd|dd|mdd|drawdown|draw down|drawdowns',
  good: 'did it work|does it work|did this work|does this work|did that work|is it any good|any good|believable|is that good|is this good|is it good|any good|believe|trust|luck|lucky|significant|overfit|reliable|is it real|is this real|is that real|fluke|chance|robust|good result|a good result|that good or|any use|real edge|an edge|edge|variance|running hot|by luck|just luck|pure luck|dumb luck|by chance|trustworthy|legit|statistically',
  best: 'best|winner|leader',
  trades: 'trades|trade count',
  traded: 'no trades|nothing trade|nothing traded|not trade|no trade|did nothing trade|zero trades|never traded',
  won: 'win rate|won|wins|win|was it right|hit rate',
  hold: 'bought some and kept it|just bought and kept it|bought and kept it|bought and held|had just bought|just kept it|buy n hold|buy and hold|buy-and-hold|holding|hold|hodl|benchmark|the market|buy & hold|just holding|holding it|holding instead',
  rules: 'rules|signals|strategy|parameters|settings|entry rules|exit rules',
  understood: 'did you understand|do you know so far|have you understood|do you have so far|my settings',
  improve: 'improve|better|what next|tune|optimise|optimize',
  save: 'save|store|deploy',
  all: 'all|all of|the whole of|list|others',
  january: 'january|jan',
  february: 'february|feb',
  march: 'march|mar',
  april: 'april|apr',
  may: 'may',
  june: 'june|jun',
  july: 'july|jul',
  august: 'august|aug',
  september: 'september|sept|sep',
  october: 'october|oct',
  november: 'november|nov',
  december: 'december|dec',
  day: 'day|days',
  week: 'week|weeks|wk|wks',
  month: 'month|months|mo|mos|mth|mths',
  year: 'year|years|yr|yrs',
  quarter: 'quarter|quarters',
  half: 'half',
  hour: 'hour|hours|hourly|hr|hrs|every hour|each hour|once an hour|hour chart',
  minute: 'minute|minutes|min|mins',
  daily:
    'daily|day candles|every day|1 day chart|once a day|each day|day bars|day chart|daily chart|daily candles|dailies|dayly',
  weekly: 'weekly',
  monthly: 'monthly',
  '%': 'percent|per cent|pct',
  times: 'times|x the',
  period: 'period|periods|length|lookback|window|day channel|bar channel',
  bars: 'bars|candles|bar|candle',
  multiplier:
    'atr mult|atr multiplier|atr factor|multiplier|factor|mult|deviations|deviation|standard deviations|standard deviation|std dev|std devs|stdev|std|stds|sigma|sigmas|sd|multiple',
  threshold: 'threshold|level',
  '0': 'zero',
  '0.25 %': 'a quarter percent|a quarter of a percent|quarter percent|quarter of a percent|a quarter per cent',
  '0.5 %': 'half a percent|half a per cent|half percent',
  '1.5 %': 'one and a half percent|one and a half per cent',
  '1': 'one|first',
  '2': 'two|second',
  '3': 'three|third',
  '4': 'four|fourth',
  '5': 'five',
  '6': 'six',
  '7': 'seven',
  '8': 'eight',
  '9': 'nine',
  '10': 'ten',
  '12': 'twelve',
  '14': 'fourteen',
  '15': 'fifteen',
  '18': 'eighteen',
  '20': 'twenty',
  '24': 'twenty four|twenty-four',
  '30': 'thirty',
  '50': 'fifty',
  '1 times the risk': 'once the risk',
  '2 times': 'twice|double',
  trend: 'trend|trends|trend following|trend-following|uptrend|ride',
  mean_reversion:
    'mean reversion|mean-reversion|dip|dips|oversold bounce|bounce|bounces|pullback|pullbacks|reversal|buy low|cheap|crash|washed out',
  momentum: 'momentum|rate of change|strength|fast movers|acceleration|pump|pumps',
  flows: 'whale|whales|on-chain|onchain|funding|smart money|flows|inflow|inflows|outflow|outflows|unlocks',
  stochastic: 'stochastic|stoch|stochastics',
  bollinger: 'bollinger bands|bollinger band|bollinger|bbands|bb',
  donchian: 'donchian channel|donchian band|donchian channels|donchian',
  keltner: 'keltner channel|keltner channels|keltner band|keltner',
  middle_band:
    'middle bollinger band|middle of the bollinger bands|middle of the bands|bollinger middle band|middle band|mid band|midband|middle line|basis line',
  sma: 'simple moving average|moving average|moving averages|averages|sma|smas|ma|mas|avg',
  ema: 'exponential moving average|ema|emas|exponential averages|exponential average|exponential moving averages|exponential ones|exponential mas|exponential ma|exponential|expo',
  golden_cross: 'golden cross',
  death_cross: 'death cross',
  supertrend: 'supertrend|super trend',
  adx: 'adx',
  rsi: 'rsi|relative strength index',
  macd: 'macd',
  cci: 'cci',
  volume: 'volume',
  // Names of signals that have words of a side or a stop.
  rsi_bullish_divergence: 'rsi divergence|bullish rsi divergence|rsi bullish divergence|divergence on the rsi',
  supertrend_short: 'supertrend short',
  supertrend_long: 'supertrend long',
  atr_trailing_stop_short: 'atr trailing stop short|below the atr trailing stop',
  atr_trailing_stop_long: 'atr trailing stop long|above the atr trailing stop',
  atr_trailing_stop_flip_up: 'atr trailing stop flip up|atr trailing stop flips up',
  atr_trailing_stop_flip_down: 'atr trailing stop flip down|atr trailing stop flips down',
  chandelier_long_stop_hit: 'chandelier long stop hit',
  chandelier_short_stop_hit: 'chandelier short stop hit',
  long_legged_doji_trigger: 'long legged doji trigger|long legged doji|long-legged doji',
  daily_return_positive: 'daily return positive|daily return is positive',
  daily_return_negative: 'daily return negative|daily return is negative',
  start_with: 'start with|starting with|begin with|beginning with|started with',
  restore:
    'put it back|bring it back|add it back|put that back|bring that back|add that back|put it back in|bring back|put them back|use it again|restore it',
  can_you:
    'can you|could you|would you|can you please|could you please|would you please|would you mind|i want you to|i would like you to|id like you to',
  touch: 'touch|touches|touching|touched|tags|tag|hits|hit|reaches|reach|taps',
  must: 'must|has to|have to|needs to|need to be|require|requires|required|make sure',
  ichimoku_bullish:
    'above the cloud|above cloud|over the cloud|above the kumo|above kumo|above the ichimoku cloud|above ichimoku cloud',
  ichimoku_bearish: 'below the cloud|below cloud|under the cloud|below the kumo|below kumo|below the ichimoku cloud',
  '10000': 'ten grand|ten thousand|ten k',
  while: 'while|whilst|as long as|so long as|provided that|provided|given that|on condition that',
  'at most': 'no longer than|not longer than|no more than|not more than|a maximum of|for a maximum of|no more',
  reverse:
    'reverse on|reverse when|reverse at|reverse if|flip short on|flip short when|flip to short when|flip to short on|mirror it on',
  stop_and_reverse:
    'stop and reverse|stop-and-reverse|always in the market|always in|always be in the market|reverse the position|reverse positions|sar style',
  'cover when': pairs(
    'shorts exit|the shorts exit|shorts exits|shorts close|the shorts close|shorts get out|shorts out|shorts leave|shorts cover|close shorts|close the shorts',
    'on|at|when|if|once|as soon as|wen',
  ),
  cover:
    'cover|= cover|-> cover|=> cover|shorts exit|shorts exits|shorts get out|shorts leave|shorts cover|cover the short|cover shorts|cover it|covering|buy to cover|buy back|buy it back|buying back|close the short|close short|close shorts|close the shorts|exit short|exit shorts|exit the short|short exit|get out of the short|get out of shorts|out of the short|short exits|out of shorts|out of the shorts|short out|leave the short',
  both_sides:
    'long and short|longs and shorts|long/short|long-short|long & short|long or short|both sides|both directions|both ways|two sided|two-sided|either side|either direction|short as well|short too|also short|shorts as well|shorts too|mirror image for shorts|the mirror image for shorts|mirror it for shorts|mirror that for shorts|mirrored for shorts|mirror the rules for shorts|the opposite for shorts|same mirrored for shorts|vice versa for shorts|and vice versa|the reverse for shorts|mirrored on the short side|mirror it on the short side|the same for shorts mirrored|mirrored short',
  break_even: 'break even|break-even|breakeven|be stop|entry price stop',
  roi: 'roi|roi table|minimal roi|minimal_roi|roi schedule|target schedule',
  'without target': 'no target|without a target|no take profit|without take profit|no tp',
  liquidated: 'liquidated|liquidation|liquidations|liquidate|margin call|margin called|wiped out|blown up|blow up',
  borrow:
    'borrow rate|borrowing rate|borrowing cost|borrowing costs|borrow cost|borrow costs|borrow fee|borrowing fee|interest rate|borrow interest|borrowing',
  each_side:
    'each side|per side|by side|either sides|on each side|long vs short|longs vs shorts|longs versus shorts|long trades|short trades|which side|what side|which of the sides',
  dark_cloud_cover_trigger: 'dark cloud cover trigger|dark cloud cover',
  hma: 'hma|hull ma|hull moving average|hull average|hull',
  forget:
    'forget it|forget that|forget about it|forget about that|ignore that|ignore it|drop that|drop it|scrap that|scrap it|leave that|leave it',
  average_trade:
    'average trade|avg trade|mean trade|expectancy|per trade on average|average profit per trade|average return per trade',
  mfi: 'money flow index|money flow',
  cmf: 'chaikin money flow|chaikin money flow index',
  as_portfolio:
    'split it over|split it across|split it between|split it among|split this over|split this across|split this between|split this among|split the money over|split the money across|split the money between|split the money among|spread it over|spread it across|spread it between|spread it among|spread this over|spread this across|spread this between|spread this among|divide it over|divide it across|divide it between|divide it among|diversify it over|diversify it across|diversify it between|diversify it among|split across|spread across|as a portfolio|portfolio of|a basket of|basket of|one account over|one account across|one account for|with one account on|share one account|sharing one account|split equally over|split equally across|split equally between|split equally among|split evenly over|split evenly across|split evenly between|split evenly among|split it equally over|split it equally between|split it evenly over|split it evenly between|spread equally over|spread evenly over|spread it evenly over|spread it equally over|spread evenly across|equal parts of|in equal parts on|a portfolio of|in a portfolio|with a portfolio of',
  majors:
    'on all three|over all three|the three majors|three majors|the majors|all majors|all the majors|portfolio of the majors|all three of them|trade all three|three big ones|the big three|the three biggest',
  all_assets:
    'across all|on all coins|on all assets|on all cryptos|over all coins|over all assets|for all coins|for all assets|all coins|all assets|all cryptos|all of them together|every coin|on every coin|on each coin|on each asset|all the coins|all the assets|everything you have',
  by_asset: `by asset|per asset|by coin|per coin|each coin|each asset|coin by coin|asset by asset|each of the coins|each of the assets|each of them|each member|by member|per member|${pairs('which coin|which asset|which of the two coins|which of the two assets|which of the two|which of them|which of the coins|which of the assets|what coin|which member', 'did better|was better|worked better|performed better|did best|did worst|did the best|did the worst|earned most|earned the most|made the most|made most|made money|lost money|lost most|lost the most|paid|worked best|was best|was worst|was the best|was the worst|performed best|performed worst|carried it|dragged')}`,
  offered:
    'what time frames|which time frames|what timeframes|which timeframes|what tfs|which tfs|what intervals|which intervals|what candle sizes|time frames do you|timeframes do you|which coins|what coins|which assets|what assets|which pairs|what pairs|which tickers|what tickers|which cryptos|what cryptos|which tokens|what tokens|which symbols|what symbols|what data do you have',
  advice:
    'should i buy|should i sell|should i short|should i invest|should i put|should i get|should i hold|should i go long|should i trade|do i buy|can i trust this with|what should i buy|which coin|what coin|which crypto|what crypto|which one should i buy|which token|what token|is it a good time to buy|is now a good time|is it time to buy|will btc go up|will eth go up|will it go up|will bitcoin go up|will the price go up|will the price|price prediction|where is the price going|will it go to the moon|would you buy|would u buy|wld u buy|wud u buy|would you short|would u short|would you sell|would u sell|would you go long|would u go long|do you recommend|what do you recommend|your recommendation|financial advice|investment advice|is it worth buying|time to buy|should we buy|trade this with real|put my savings|my savings|with my own savings',
  and: 'n|nd|as well as',
  with: 'w/|w',
  both_rules: 'both|for both|all four|both of them|for both of them|on both',
  filter: 'add|add a filter|filtered by|filter by|as a filter|with a filter',
  '5000': 'five thousand|five grand',
  '20000': 'twenty thousand|twenty grand',
  '50000': 'fifty thousand|fifty grand',
  '100000': 'a hundred thousand|one hundred thousand|hundred grand',
  '1000': 'a thousand|one thousand',
  '2000': 'two thousand|two grand',
  edge_start: pairs(
    'start|begin|start it|begin it|start the test|start testing|start the window|the start|start date|the start date|starting date|starting point|starts|begins|started',
    'in|at|on|from|to|should be|must be|is|instead in|rather in|with the|is in|will be|would be',
  ),
  edge_end: pairs(
    'end|end it|the end|ends|finish|finish it|end date|the end date|ending date|ending|stop it|stop the test|stop testing|end the test|end the window',
    'in|at|on|with|to|should be|must be|is|instead in|rather in|is in|will be|would be',
  ),
  slow: 'slower|slow one|slower one|longer one|long one|bigger one',
  fast: 'faster|fast one|faster one|quick one|quicker one|shorter one',
  half_that:
    'half of that|half that|half of it|halve it|halve that|cut it in half|cut that in half|half as much|half the size',
  double_that: 'double that|twice that|double it|twice as much|double as much',
  three_white_soldiers_trigger: 'three white soldiers|3 white soldiers',
  three_black_crows_trigger: 'three black crows|3 black crows',
  tenkan: 'ichimoku tenkan|tenkan line|tenkan-sen|tenkan sen|conversion line',
  kijun: 'ichimoku kijun|kijun line|kijun-sen|kijun sen|base line',
  best_trade:
    'best trade|best single trade|biggest winner|biggest win|largest win|biggest winning trade|best one trade|which trade was the best|which trade was best|what was the best trade|most profitable trade|top trade|biggest gain',
  win_loss:
    'winners and losers|losers and winners|average win vs average loss|average win and loss|average win and average loss|average winner|average loser|avg win|avg loss|average win|average loss|avg winner|avg loser|win to loss ratio|win/loss ratio|payoff ratio|profit factor|wins vs losses|winners vs losers|gross profit|gross loss',
  exposed:
    'time in the market|in the market|time in market|exposure|exposed|how long was it invested|how much time invested|how often invested|share of the time',
  thanked: 'thanks|thank you|thx|ty|cheers|many thanks|thanks a lot|thank u|tysm|much appreciated|appreciate it',
  ended_by:
    'what did the stop do|how often did the stop hit|how often was the stop hit|how often was it stopped out|how often did it get stopped out|stopped out|how many stops|how many hit the stop|how many hit the target|how did trades end|how did the trades end|exit reasons|how did it exit',
  'ichimoku tk cross':
    'tk cross|tk crosses|tk crossing|tenkan kijun cross|tenkan/kijun cross|tenkan-kijun cross|ichimoku tk cross',
  spread_over:
    'together|all together|together out of one account|together in one account|together from one account|out of one account|out of the same account|out of a single account|from one account|from the same account|in one account|in the same account|in a single account|on one account|on the same account|sharing an account|share an account|one shared account|a shared account|spread over|spread across|split over|split across|spread between|spread among|split between|split among|divided over|divided between|divided among|shared between|shared by|distributed over',
  than_before: `${pairs('better|worse|better or worse|any better|much better|higher|lower|an improvement', 'than before|than the one before|than the last one|than the previous one|than the first one|than last time|than the last run|than the previous run|than the run before|than the other one|than the other|over the last one|on the last one')}|${pairs('which of the two runs|which of the two|which of the 2|which of them|which of both|which one|which run|which version|the before or the after', 'was better|did better|is better|performed better|worked better|made more|did worse|was worse|won')}`,
  duration:
    'how long does a trade last|how long do trades last|how long did a trade last|how long did trades last|how long did the trades last|how long is a trade|how long was a trade|how long are trades|how long were the trades|how long is a trade open|how long are positions held|how long were positions held|how long does it hold|how long did it hold|how long was a trade held|how long were trades held|average holding time|average holding period|average hold time|holding time|holding period|average trade length|average trade duration|trade duration|average duration',
};
