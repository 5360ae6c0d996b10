import type { Asked } from './asked.js';

/** Signals of candle patterns and over columns, by name. */
export const askedOfPatternSignals: Asked = {
  bearish_engulfing_trigger: `
    red candle swallows the green candle before it; big red body covers the previous one; eats the last candle;
    bearish engulfing candlestick pattern`,
  bearish_harami_trigger: `small red candle inside the big green one before; pregnant, bearish`,
  bearish_pattern_recent: `any bearish candlestick pattern lately; some bearish candle in the last bars`,
  bearish_pin_bar_trigger: `long upper wick; rejection of higher prices; candle with a long shadow on top; nose up`,
  bullish_engulfing_trigger: `
    green candle swallows the red candle before it; big green body covers the previous one; eats the last candle;
    bullish engulfing candlestick pattern`,
  bullish_harami_trigger: `small green candle inside the big red one before; pregnant, bullish`,
  bullish_pattern_recent: `any bullish candlestick pattern lately; some bullish candle in the last bars`,
  bullish_pin_bar_trigger: `
    long lower wick; rejection of lower prices; candle with a long tail or shadow below; nose down`,
  continuation_pattern_bearish: `pattern says the fall goes on; downtrend continues`,
  continuation_pattern_bullish: `pattern says the rise goes on; uptrend continues`,
  dark_cloud_cover_trigger: `opens above and closes below the middle of the green candle`,
  doji_trigger: `open equals close; no body; cross shaped candle; indecision; candle with tiny body; plain doji`,
  dragonfly_doji_trigger: `doji with a long lower wick; T shaped candle; opens and closes at the high`,
  evening_star_trigger: `three candle top; small star after a rise then a fall; bearish star`,
  gravestone_doji_trigger: `doji with a long upper wick; upside down T; opens and closes at the low`,
  hammer_trigger: `
    small body on top with a long lower wick; hammer candle; buyers push back from the low; bottom reversal; hammer
    candlestick pattern`,
  hanging_man_trigger: `hammer shape after a rise; small body on top with a long lower wick; top reversal`,
  indecision_pattern_recent: `undecided market; doji or spinning top lately`,
  inside_bar_trigger: `
    candle within the range of the previous candle; lower high and higher low; mother bar; inside day; consolidation
    candle`,
  inverted_hammer_trigger: `small body at the bottom with a long upper wick after a fall; upside down hammer`,
  long_legged_doji_trigger: `doji with long wicks on both sides; strong indecision`,
  marubozu_bearish_trigger: `full red candle without wicks; strong red body; sellers all the way`,
  marubozu_bullish_trigger: `full green candle without wicks; strong green body; buyers all the way`,
  morning_star_trigger: `three candle bottom; small star after a fall then a rise; bullish star`,
  nr7_trigger: `narrowest range of seven days; smallest candle of the last bars; tightest day; narrow range`,
  outside_bar_trigger: `candle larger than the previous candle on both sides; higher high and lower low`,
  piercing_line_trigger: `opens below and closes above the middle of the red candle`,
  reversal_pattern_bearish: `candles say the top is in; pattern turns down; bearish reversal candle lately`,
  reversal_pattern_bullish: `candles say the bottom is in; pattern turns up; bullish reversal candle lately`,
  shooting_star_trigger: `small body at the bottom with a long upper wick after a rise; falling star; top reversal`,
  spinning_top_trigger: `small body in the middle with wicks on both sides; indecision; candle with a tiny body`,
  strong_body_recent: `full bodied candle lately; candle without wicks in the last bars`,
  three_black_crows_trigger: `three red candles in a row; three falling days; three strong down bars`,
  three_inside_down_trigger: `bearish harami confirmed by a third candle`,
  three_inside_up_trigger: `bullish harami confirmed by a third candle`,
  three_white_soldiers_trigger: `
    three green candles in a row; three rising days; three strong up bars; three green soldiers`,
  tweezer_bottoms_trigger: `two candles with the same low; double low`,
  tweezer_tops_trigger: `two candles with the same high; double high`,
  two_bar_reversal_bearish_trigger: `strong up candle followed by a strong down candle`,
  two_bar_reversal_bullish_trigger: `strong down candle followed by a strong up candle`,
  etf_inflow_spike: `
    huge etf purchases in a day; big inflow into bitcoin funds; wall street buys; blackrock buying; institutions buy
    through funds`,
  etf_inflow_streak: `
    several days of etf inflows in a row; steady fund buying; blackrock keeps buying; institutions keep buying`,
  exchange_net_outflow: `
    coins leave exchanges; withdrawals from exchanges; less supply for sale; moved to cold storage`,
  exchange_outflow_spike: `sudden withdrawal of many coins from exchanges`,
  funding_flip_positive: `funding rate turns positive; longs begin to pay shorts`,
  funding_negative_regime: `
    negative funding rate; shorts pay longs; crowd is short; bearish perpetuals; shorts have been paying; everyone is
    short`,
  holder_concentration_falling: `big holders own less and less; coins spread to more wallets; top wallets sell`,
  holder_concentration_low: `widely held token; top holders own little; not dominated by whales`,
  lending_spread_low: `borrow and supply rates close together; cheap borrowing`,
  lending_spread_widening: `borrow rates rise over supply rates; demand for loans grows`,
  smart_money_holdings_cross: `smart wallets start to hold more than usual`,
  smart_money_holdings_rising: `smart wallets increase their bags; professionals add; funds accumulate`,
  smart_money_inflow_spike: `professionals buy a lot at once; sudden smart money purchase`,
  smart_money_net_positive: `professionals are net buyers; smart wallets buy; insiders buy`,
  token_unlock_cliff_ahead: `large unlock of tokens soon; vesting cliff; team tokens released; supply shock; dilution`,
  token_unlock_pressure_low: `few unlocks ahead; little new supply; no dilution`,
  treasury_accumulation_trigger: `treasury of a protocol jumps above its average; reserves grow`,
  treasury_growing: `reserves of a protocol grow; dao treasury increases`,
  whale_accumulation_trigger: `whales start buying; large holders turn to buyers; big wallets begin to hoard`,
  whale_net_accumulation: `whales are net buyers; large holders add; big wallets buy; big wallets hoarding`,
  column_above: `my own value is above a threshold; model score above 0.5; index above a level; custom data filter`,
  column_below: `my own value is below a threshold; fear and greed below 20; extreme fear; index under a level`,
  column_crosses_above: `my own value rises through a threshold; prediction turns positive`,
  column_crosses_below: `my own value falls through a threshold; prediction turns negative`,
  column_zscore_above: `
    value unusually high compared with its past; many deviations above its mean; extreme high reading`,
  column_zscore_below: `
    value unusually low compared with its past; many deviations below its mean; extreme low reading`,
  formula: `own condition as text; custom expression as a rule; write a rule yourself`,
};
