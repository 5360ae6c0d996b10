import type { Asked } from './asked.js';

export const askedOfMetrics: Asked = {
  sharpe_ratio: `
    risk adjusted return; return per unit of risk; reward compared with volatility; how smooth is my profit; good
    sharpe; steady or jumpy gains; quality of returns; how is the sharpe calculated; formula of sharpe; risk free`,
  sortino_ratio: `
    return per downside risk; like sharpe but only losses; ignores upside swings; bad volatility only; punish losses
    only; how is sortino computed`,
  max_drawdown: `
    biggest loss from the top; worst decline; largest dip of my account; peak to valley; how much could I have lost;
    worst fall; maximum loss; deepest hole; pain; largest fall from the high water mark; how far down did it go; worst
    moment of the account; most I would have lost; high to low`,
  max_drawdown_duration: `
    longest time under water; how long until the account recovered; time to a new high; longest losing phase; time
    between peaks; recovery time; how long was I in the red; days until it got back to its old high; how long did I
    wait for a new peak; stuck below the peak; patience needed`,
  total_return: `
    how much did I make in percent; overall profit; growth of the account; gain of the whole run; return on
    investment; roi; did it make money; how much did the account grow; result of the run in percent; doubled my money`,
  irr_annualized: `
    yearly return; cagr; percent per year; annual growth; annualised return; compound growth; return pa; profit per
    year; average growth a year; what does it make annually; interest rate of the strategy`,
  irr_daily: `growth per day; daily compound return`,
  calmar_ratio: `return over drawdown; yearly growth divided by the worst fall; mar ratio`,
  num_days: `length of the run; how many days were tested; test period`,
  avg_daily_return: `what do I earn on an average day; mean daily gain; typical day`,
  gain_to_pain_ratio: `schwager; gains over losses of days; gain pain`,
  total_trades: `
    number of trades; how many trades; how often does it trade; trade count; closed positions; how often does the
    system trade; how active is it; enough trades; count of trades`,
  win_rate: `
    percentage of winning trades; how often do I win; hit rate; success rate; share of profitable trades; batting
    average; how many trades end well; share of losing trades; do I win more often than I lose; right how often`,
  profit_factor: `
    gross profit over gross loss; won dollars per lost dollar; sum of gains divided by sum of losses; dollars won for
    each dollar lost; above 1 makes money`,
  expectancy: `
    average profit per trade; expected gain of one trade; edge per trade; mean pnl; what does one trade bring; worth
    of a trade; average result of a trade`,
  avg_win: `
    average winning trade; size of a typical winner; mean gain; how large is a good trade; typical profit when right`,
  avg_loss: `
    average losing trade; size of a typical loser; mean loss of a trade; how large is a bad trade; typical loss when
    wrong`,
  max_consecutive_wins: `longest winning streak; wins in a row; lucky streak`,
  max_consecutive_losses: `
    longest losing streak; losses in a row; how many times did I lose back to back; bad streak; how many losers one
    after another; worst run of bad luck; bad luck series`,
  avg_bars_held: `
    how long do I hold; average duration of a trade; holding period; time in a trade; trade length; how long is a
    usual trade open; average days in a trade; how quickly does it get out`,
  exposure: `
    share of time invested; how much of the time was I in a position; in the market; idle; how busy is my money;
    percent of bars with a position`,
  total_fees: `
    how much did I pay the exchange; sum of commissions; fees paid in total; cost of trading; how much did commissions
    eat; all fees together; what went to the exchange; fee total`,
  total_slippage_cost: `
    money lost to slippage; cost of bad fills; price impact in total; how much was lost to bad prices; all slippage
    together`,
  starting_balance: `money at the beginning; start capital of a result`,
  ending_balance: `
    money at the end; final account value; what is left; final capital; last equity; how much money do I have at the
    end; final amount; money left`,
  net_pnl: `
    profit in dollars; money made; net profit; gain after costs; bottom line; total p&l; dollars earned; euros made;
    earned in total`,
  benchmark_asset_return: `
    what would holding have earned; return of the coin; did I beat buy and hold; market return; passive return; how
    did the coin itself do; performance of bitcoin in that time; would holding have been better`,
  value_at_risk_95_daily: `how much can I lose on a bad day; var; worst day out of twenty; daily risk of loss`,
  conditional_value_at_risk_95_daily: `
    expected shortfall; average of the worst days; cvar; tail loss; how bad are the worst days`,
  volatility_annualized_daily: `
    how much does the account swing; yearly volatility from days; standard deviation of daily returns`,
  sharpe_ratio_daily: `sharpe from daily returns; comparable with other platforms; sharpe of days instead of bars`,
  sortino_ratio_daily: `sortino from daily returns`,
  value_at_risk_95_normal_daily: `
    parametric var; var assuming a bell curve; gaussian value at risk; variance covariance`,
  omega_ratio_daily: `omega of days; gains over losses above a threshold, daily`,
  tail_ratio_daily: `right tail over left tail of days; big wins against big losses, daily`,
  skewness_daily: `asymmetry of daily returns; lopsided days`,
  excess_kurtosis_daily: `fat tails of daily returns; extreme days; heavy tails`,
  alpha_compounded: `yearly alpha; excess return a year over the asset, compounded; outperformance per year`,
  alpha_t: `
    is alpha significant; t statistic; t-value of outperformance; by chance; significance of beating the market; is
    the outperformance real; how certain is alpha; is it above 2; proof of skill`,
  beta_daily: `sensitivity to the market from daily returns; how much do I move with bitcoin each day`,
  value_at_risk_95_monthly: `bad month; how much can I lose in a month; monthly var`,
  conditional_value_at_risk_95_monthly: `average of the worst months; monthly expected shortfall; monthly cvar`,
  volatility_annualized_monthly: `volatility from months; swings of monthly returns`,
  sharpe_ratio_monthly: `sharpe from monthly returns; as funds report it`,
  buy_and_hold_return: `
    just holding the coin; hodl return; passive benchmark; compare with doing nothing; return without a strategy; what
    would hodling have made; just buying at the start; lazy investor; do nothing strategy`,
  alpha: `
    return beyond the market; excess return; skill part of the profit; outperformance; jensen; do I beat the market;
    better than the coin; added value of the strategy; performance not explained by the market`,
  beta: `
    how much do I follow the market; market sensitivity; correlation with the asset; market exposure; does the
    strategy just follow the coin; tied to bitcoin; moves together with the market; independent of the market`,
  time_in_market: `
    share of bars with a position; how much of the time invested; percent of time in a trade; how often am I in a
    position; idle cash time`,
  turnover: `
    how often is the account turned over; traded amount compared with the account; trading volume of my strategy;
    churn; how many times is my money traded; how much volume do I trade`,
  turnover_per_year: `yearly turnover; how much do I trade a year`,
  volatility_annualized: `
    how bumpy is my account; standard deviation of returns; yearly volatility; swings; risk of the strategy; steady or
    jumpy; ups and downs of the account; how wild is the ride; nervous account`,
  omega_ratio: `gains over losses; probability weighted ratio; omega`,
  ulcer_index: `
    stress of drawdowns; depth and duration of drawdowns; how painful was the ride; sleepless nights; how stressful;
    long and deep falls; pain index`,
  value_at_risk_95: `
    loss of a bad bar; var; quantile of losses; downside risk per bar; how much could I lose at once; risk number for
    my boss`,
  conditional_value_at_risk_95: `expected shortfall of bars; mean of the worst bars; cvar`,
  skewness: `
    asymmetry of returns; many small wins and few big losses; lopsided; negative skew; symmetric; are returns
    lopsided; not bell shaped; rare big losses`,
  excess_kurtosis: `
    fat tails; extreme returns; heavy tails; outliers in returns; black swan; not normal; peakedness; are returns bell
    shaped; surprises; too many extreme bars; what does kurtosis tell me`,
  tail_ratio: `biggest wins compared with biggest losses; right tail over left tail; extremes up against extremes down`,
  gain_to_pain_monthly: `schwager gain to pain ratio; sum of monthly returns over losing months`,
  recovery_factor: `
    profit divided by the worst drawdown; how well did it recover; net profit over maximum drawdown; bounce back; does
    profit make up for the drawdown; profit compared with the deepest fall`,
  rolling_sharpe_window: `length of the window of the rolling sharpe; how many bars are in a rolling window`,
  rolling_sharpe_min: `
    worst sharpe over time; worst month of the strategy; lowest rolling sharpe; was there a bad phase; was there a
    time when it did not work; worst period`,
  rolling_sharpe_max: `best sharpe over time; highest rolling sharpe; best phase`,
  rolling_sharpe_last: `
    recent performance; does it still work lately; sharpe of the last month; is the edge fading; decay; did it get
    worse recently; still working; performance at the end; losing its edge; latest weeks`,
  system_quality_number: `
    sqn; van tharp; quality of a trading system; r multiples; rate my system; score of a trading system`,
  kelly_fraction: `
    optimal share of capital per trade; kelly criterion; how much should I bet; best bet size; optimal f; growth
    optimal; how much should I bet; ideal stake; maximum sensible risk`,
  payoff_ratio: `
    average win over average loss; size of winners compared with losers; reward to risk achieved; win loss ratio; are
    winners bigger than losers; how much larger are gains than losses; reward achieved for the risk`,
  avg_mae: `
    how far do trades go against me on average; heat; paper loss during a trade; maximum adverse excursion; where to
    put stops; how far do trades dip before they win; usual paper loss; is my stop too tight`,
  worst_mae: `
    deepest paper loss during a trade; worst heat of any trade; farthest against me; biggest open loss; largest
    floating loss; deepest dip in a trade`,
  avg_mfe: `
    how far do trades go my way on average; unrealised profit; maximum favourable excursion; profit left on the table;
    how much profit was there before the exit; did I sell too early; given back`,
  best_mfe: `
    largest paper profit during a trade; best unrealised gain; farthest in my favour; biggest open profit; largest
    floating gain`,
  worst_mae_full_bars: `worst excursion counting the whole exit bar; adverse with full candles`,
  best_mfe_full_bars: `best excursion counting the whole exit bar; favourable with full candles`,
  exits_by_reason: `
    why were trades closed; how many stop losses were hit; how many reached the target; exit statistics; reasons for
    selling; stopped out or took profit; breakdown of exits; how often was I stopped out; how many trades hit the
    stop; share of targets reached; why did it sell; how do trades end; number of stop exits`,
  fees_paid: `sum of fees; total commission; what trading cost me; how much did commissions eat; what I paid in fees`,
  slippage_paid: `sum of slippage; total slippage cost; lost on execution`,
};
