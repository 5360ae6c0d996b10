import type { Asked } from './asked.js';

/** Settings of a run. */
export const askedOfRunSettings: Asked = {
  reward_factor: `
    set take profit; distance of the target; reward to risk ratio; risk reward 1:3; profit target; R multiple; tp;
    cash in; where is the take profit; sell at twice the risk; no target; how far is the target; let winners run`,
  max_risk_per_trade: `
    risk 1 percent per trade; how much of my account can I lose on one trade; position sizing by risk; fraction of
    capital at risk; bigger positions; trade larger; bet size; money management; what fraction of my equity is at
    stake; lose at most two percent; how aggressive; invest more; use half of my money; risk less; trade with more
    money`,
  stop_loss_calculation: `
    choose the type of stop loss; fixed percentage or atr stop; volatility based stop; how is the stop computed; set
    stop loss; sl; where does the stop sit; stop wider when the market is nervous; kind of stop; no stop loss; switch
    to a fixed stop; stop adapts to volatility`,
  position_size_calc: `
    all in or keep a reserve; sizing method; sizing version; use all cash; how is the size computed; don't spend all
    the cash; spend everything; keep some cash back`,
  fixed_stop_pct: `
    stop loss of 5 percent; percentage stop; fixed stop distance; stop a certain percent below entry; sl percent; sell
    when it falls five percent; cut the loss at ten percent; stop two percent away; stoploss of 10 percent`,
  atr_period: `length of the atr for the stop; number of bars for the average range; atr window of stops`,
  atr_volatility_factor: `
    atr multiple of the stop; stop of two atr; wider stop; tighter stop; how many atrs away; stop too close; give the
    trade more room; stops are hit too often; looser stop; distance in atr`,
  atr_short_weight: `weight of the short atr; blend of atr; run interval atr in the stop`,
  atr_long_weight: `weight of the daily atr; blend with daily volatility; daily range in the stop`,
  atr_cap_multiplier: `limit how wide an atr stop gets; cap of the atr; maximum stop distance; extreme volatility`,
  initial_balance: `
    starting capital; start with 10000 dollars; account size; money to begin with; deposit; initial cash; seed
    capital; account starts with 500; how much money do I begin with; test with a small account; start with less
    money; change the capital`,
  min_balance_threshold: `
    stop trading when the account is too small; minimum account value; keep cash in reserve; floor of the account;
    stop when half is gone; quit below an amount; leave an untouched reserve`,
  min_trade_amount: `
    smallest order; minimum order size; ignore tiny trades; minimum notional; dust; order below exchange minimum;
    ignore orders below ten dollars; too small to trade; small orders are skipped`,
  max_open_positions: `
    how many positions at the same time; several trades at once; concurrent positions; pyramiding; simultaneous
    trades; multiple entries; only one trade at a time; hold several; add to a position; second entry while one is
    open; more than one trade`,
  max_trades_per_day: `
    limit trades per day; at most one trade a day; overtrading; daily trade limit; trade less often; trades too often;
    only three trades a day; slow it down`,
  max_units_per_trade: `
    limit coins per trade; maximum quantity; largest size in units; number of coins; never more than one bitcoin; cap
    on coins`,
  max_trade_amount: `
    limit dollars per trade; largest order value; cap on position value; maximum notional; not more than per trade;
    never put in more than 1000; fixed dollar amount per trade; ceiling for an order; same amount each time`,
  max_volume_share: `
    do not trade more than a share of the volume; liquidity limit; order too big for the market; cap by volume; market
    impact; thin market; my order would move the price; stay small compared with the market; percent of volume`,
  funding: `
    switch funding payments on or off; charge perpetual funding; perp costs; ignore funding; swap; perps charge me
    every eight hours; pay for holding a perpetual; no funding please`,
  volatility_window: `
    number of bars to measure volatility; lookback for volatility; window of the volatility adjustment`,
  target_volatility: `
    aim for a constant volatility; volatility target; vol targeting; smaller positions in wild markets; how calm
    should the account be; desired volatility`,
  volatility_mode: `how is volatility measured for sizing; returns or true range; turn volatility sizing off`,
  enable_volatility_adjustment: `
    trade smaller when the market is wild; reduce size in volatile times; volatility scaling; vol adjusted position
    size; switch on; less money in nervous markets; scale down in a storm; adapt size to risk`,
  max_hold_time_hours: `close after some hours; maximum hours in a trade; old setting; time stop in hours`,
  cooldown_bars: `wait some bars after a loss; old cooldown; deprecated pause; bars between trades`,
  daily_momentum_limit: `stop after daily losses; daily loss limit; max losses per day; deprecated`,
  weekly_momentum_limit: `stop after weekly losses; weekly loss limit; seven days; deprecated`,
  cooldown_config: `
    pause after losing trades; stop trading after a losing streak; circuit breaker; daily loss limit; wait after a
    stop out; blocks entries after losses; protections; turn the cooldown off; time out; don't buy again right after a
    stop; wait after getting burned; rest after losing; lost three times, then stop; halt for a day; how many candles
    does it wait`,
  max_hold_bars: `
    close a trade after n bars; time stop; maximum holding time; time based exit; sell after some candles; exit after;
    get out after two days at the latest; maximum days in a trade; never hold longer than; close the position after a
    number of bars`,
  exit_on_loss_after_bars: `
    sell losing trades after some bars; cut losers after a while; time stop for losers; get out of bad trades; sell
    everything that is still red after two days; drop losers after a while; trade goes nowhere`,
  exit_on_profit_after_bars: `
    sell winning trades after some bars; take profit after a time; cash in winners after a while; sell what is in
    profit after some time; bank a gain after a while`,
  profit_threshold_pct: `
    how much gain counts as winning; minimum profit for a timed exit; profit needed to exit; when is a trade in
    profit; small gain is enough`,
  slippage_pct: `
    set slippage; worse fills; execution cost; price impact; spread cost; simulate bad fills; no slippage; realistic
    fills; assume bad prices; ten basis points; pessimistic fills; difference to the quoted price; bid ask cost`,
  fee_pct: `
    set the commission; trading fee; exchange fee percent; zero fees; maker taker fee; cost per trade; broker
    commission; cheaper; no fees please; my exchange takes 0.1 percent; change the fees; double the costs; vip
    discount; twice as expensive`,
  trading_days_per_year: `
    252 days for stocks; annualise for shares; business days; stock market year; trading calendar; sharpe with 252;
    weekdays; forex; do weekends matter; market closed on weekends; year of the stock exchange; 365 or 252`,
  trading_hours_per_day: `
    hours of a stock session; 6.5 hours; market hours; regular trading hours; opening hours; session length; market
    closes at night; day session; nyse hours`,
};
