import type { Asked } from './asked.js';

export const askedOfMetrics: Asked = {
  sharpe_ratio: `
    risk adjusted return; return per unit of risk; reward compared with volatility; how smooth is my profit; good
    sharpe`,
  sortino_ratio: `return per downside risk; like sharpe but only losses; ignores upside swings; bad volatility only`,
  max_drawdown: `
    biggest loss from the top; worst decline; largest dip of my account; peak to valley; how much could I have lost;
    worst fall; maximum loss; deepest hole; pain`,
  max_drawdown_duration: `
    longest time under water; how long until the account recovered; time to a new high; longest losing phase; time
    between peaks; recovery time; how long was I in the red`,
  total_return: `
    how much did I make in percent; overall profit; growth of the account; gain of the whole run; return on
    investment; roi`,
  irr_annualized: `yearly return; cagr; percent per year; annual growth; annualised return; compound growth; return pa`,
  irr_daily: `growth per day; daily compound return`,
  calmar_ratio: `return over drawdown; yearly growth divided by the worst fall; mar ratio`,
  num_days: `length of the run; how many days were tested; test period`,
  avg_daily_return: `what do I earn on an average day; mean daily gain; typical day`,
  gain_to_pain_ratio: `schwager; gains over losses of days; gain pain`,
  total_trades: `number of trades; how many trades; how often does it trade; trade count; closed positions`,
  win_rate: `
    percentage of winning trades; how often do I win; hit rate; success rate; share of profitable trades; batting
    average`,
  profit_factor: `gross profit over gross loss; won dollars per lost dollar; sum of gains divided by sum of losses`,
  expectancy: `average profit per trade; expected gain of one trade; edge per trade; mean pnl`,
  avg_win: `average winning trade; size of a typical winner; mean gain`,
  avg_loss: `average losing trade; size of a typical loser; mean loss of a trade`,
  max_consecutive_wins: `longest winning streak; wins in a row; lucky streak`,
  max_consecutive_losses: `longest losing streak; losses in a row; how many times did I lose back to back; bad streak`,
  avg_bars_held: `how long do I hold; average duration of a trade; holding period; time in a trade; trade length`,
  exposure: `share of time invested; how much of the time was I in a position; in the market; idle`,
  total_fees: `how much did I pay the exchange; sum of commissions; fees paid in total; cost of trading`,
  total_slippage_cost: `money lost to slippage; cost of bad fills; price impact in total`,
  starting_balance: `money at the beginning; start capital of a result`,
  ending_balance: `money at the end; final account value; what is left; final capital; last equity`,
  net_pnl: `profit in dollars; money made; net profit; gain after costs; bottom line; total p&l`,
  benchmark_asset_return: `
    what would holding have earned; return of the coin; did I beat buy and hold; market return; passive return`,
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
    is alpha significant; t statistic; t-value of outperformance; by chance; significance of beating the market`,
  beta_daily: `sensitivity to the market from daily returns; how much do I move with bitcoin each day`,
  value_at_risk_95_monthly: `bad month; how much can I lose in a month; monthly var`,
  conditional_value_at_risk_95_monthly: `average of the worst months; monthly expected shortfall; monthly cvar`,
  volatility_annualized_monthly: `volatility from months; swings of monthly returns`,
  sharpe_ratio_monthly: `sharpe from monthly returns; as funds report it`,
  buy_and_hold_return: `
    just holding the coin; hodl return; passive benchmark; compare with doing nothing; return without a strategy`,
  alpha: `return beyond the market; excess return; skill part of the profit; outperformance; jensen`,
  beta: `how much do I follow the market; market sensitivity; correlation with the asset; market exposure`,
  time_in_market: `share of bars with a position; how much of the time invested; percent of time in a trade`,
  turnover: `
    how often is the account turned over; traded amount compared with the account; trading volume of my strategy;
    churn`,
  turnover_per_year: `yearly turnover; how much do I trade a year`,
  volatility_annualized: `
    how bumpy is my account; standard deviation of returns; yearly volatility; swings; risk of the strategy`,
  omega_ratio: `gains over losses; probability weighted ratio; omega`,
  ulcer_index: `stress of drawdowns; depth and duration of drawdowns; how painful was the ride; sleepless nights`,
  value_at_risk_95: `loss of a bad bar; var; quantile of losses; downside risk per bar`,
  conditional_value_at_risk_95: `expected shortfall of bars; mean of the worst bars; cvar`,
  skewness: `asymmetry of returns; many small wins and few big losses; lopsided; negative skew; symmetric`,
  excess_kurtosis: `fat tails; extreme returns; heavy tails; outliers in returns; black swan; not normal; peakedness`,
  tail_ratio: `biggest wins compared with biggest losses; right tail over left tail; extremes up against extremes down`,
  gain_to_pain_monthly: `schwager gain to pain ratio; sum of monthly returns over losing months`,
  recovery_factor: `
    profit divided by the worst drawdown; how well did it recover; net profit over maximum drawdown; bounce back`,
  rolling_sharpe_window: `length of the window of the rolling sharpe; how many bars are in a rolling window`,
  rolling_sharpe_min: `
    worst sharpe over time; worst month of the strategy; lowest rolling sharpe; was there a bad phase`,
  rolling_sharpe_max: `best sharpe over time; highest rolling sharpe; best phase`,
  rolling_sharpe_last: `
    recent performance; does it still work lately; sharpe of the last month; is the edge fading; decay`,
  system_quality_number: `sqn; van tharp; quality of a trading system; r multiples`,
  kelly_fraction: `
    optimal share of capital per trade; kelly criterion; how much should I bet; best bet size; optimal f; growth
    optimal`,
  payoff_ratio: `
    average win over average loss; size of winners compared with losers; reward to risk achieved; win loss ratio`,
  avg_mae: `
    how far do trades go against me on average; heat; paper loss during a trade; maximum adverse excursion; where to
    put stops`,
  worst_mae: `deepest paper loss during a trade; worst heat of any trade; farthest against me`,
  avg_mfe: `
    how far do trades go my way on average; unrealised profit; maximum favourable excursion; profit left on the table`,
  best_mfe: `largest paper profit during a trade; best unrealised gain; farthest in my favour`,
  worst_mae_full_bars: `worst excursion counting the whole exit bar; adverse with full candles`,
  best_mfe_full_bars: `best excursion counting the whole exit bar; favourable with full candles`,
  exits_by_reason: `
    why were trades closed; how many stop losses were hit; how many reached the target; exit statistics; reasons for
    selling; stopped out or took profit; breakdown of exits`,
  fees_paid: `sum of fees; total commission; what trading cost me`,
  slippage_paid: `sum of slippage; total slippage cost; lost on execution`,
};
