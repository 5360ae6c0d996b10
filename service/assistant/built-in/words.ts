import type { StrategyConfig } from '../candidate.js';
import type { Collected, Proposal, Tested } from '../mind.js';
import { ruleWords, styleNames } from './propose.js';

export const percent = (value: number, digits = 1): string => `${(100 * value).toFixed(digits)} %`;
export const ratio = (value: number | null): string => (value === null ? 'undefined' : value.toFixed(2));

/** Everything that is known, in one line: `BTC, 4h bars, following a trend` */
export function understanding(collected: Collected): string {
  const { asset, timeframe, style, start_date, end_date, lookback_months, max_risk_per_trade, reward_factor } =
    collected;
  const { entry, exit, excluded, count, settings } = collected;
  const parts = [
    ...(asset === null ? [] : [asset]),
    ...(timeframe === null ? [] : [`${timeframe} bars`]),
    ...(style === null || entry.length > 0 ? [] : [styleNames[style]]),
    ...(entry.length === 0 ? [] : [`buy on ${entry.map(ruleWords).join(' and ')}`]),
    ...(exit.length === 0 ? [] : [`sell on ${exit.map(ruleWords).join(' and ')}`]),
    ...(excluded.length === 0 ? [] : [excluded.map((key) => `no ${key}`).join(', ')]),
    ...windowWords(start_date, end_date, lookback_months),
    ...(max_risk_per_trade === null ? [] : [`${plainPercent(max_risk_per_trade)} of the account at risk in a trade`]),
    ...(reward_factor === null ? [] : [`a target of ${reward_factor} times the risk`]),
    ...Object.entries(settings).flatMap(([name, value]) => settingWords[name]?.(Number(value)) ?? []),
    ...(count === null ? [] : [`${count} ${count === 1 ? 'candidate' : 'candidates'}`]),
  ];
  return parts.join(', ');
}

/** A share as it was written: `0.05 %` */
const plainPercent = (value: number): string => `${Number((100 * value).toPrecision(6))} %`;

const settingWords: Readonly<Record<string, (value: number) => string>> = {
  fixed_stop_pct: (value) => `a stop ${plainPercent(value)} from the entry`,
  initial_balance: (value) => `an account of ${value}`,
  max_hold_bars: (value) => `at most ${value} bars in a trade`,
  fee_pct: (value) => `a fee of ${plainPercent(value)} a fill`,
  slippage_pct: (value) => `slippage of ${plainPercent(value)} a fill`,
};

function windowWords(start: string | null, end: string | null, months: number | null): string[] {
  if (start !== null) return [end === null ? `since ${start}` : `from ${start} to ${end}`];
  if (end !== null) return [`until ${end}`];
  return months === null ? [] : [`over the last ${months} months`];
}

export const proposalWords = ({ triggers, filters }: Proposal): string =>
  [
    'Triggers (the event that opens a trade):',
    ...triggers.map((rule) => `- ${ruleWords(rule)}. ${rule.reason}`),
    ...(filters.length === 0 ? [] : ['Filters (what must hold at that bar):']),
    ...filters.map((rule) => `- ${ruleWords(rule)}. ${rule.reason}`),
  ].join('\n');

/** `ema_cross_up with is_above_sma, exit on ema_cross_down` */
export function candidateWords({ entry, exit }: StrategyConfig): string {
  const out = exit.map(shortName).join(' and ');
  return `${entry.map(shortName).join(' with ')}, ${out === '' ? 'exit by stop and target' : `exit on ${out}, stop or target`}`;
}

/** A signal by its name, a formula by what it says. */
const shortName = ({ name, params }: StrategyConfig['entry'][number]): string =>
  name === 'formula' ? `formula ${String(params.when)}` : name;

/** A line for each candidate with the figures of its run. */
export const resultLines = ({ candidates }: Tested): string =>
  candidates
    .map(({ config, figures }, i) => {
      const { total_return, sharpe_ratio, max_drawdown, trade_count } = figures;
      const trades = `${trade_count} ${trade_count === 1 ? 'trade' : 'trades'}`;
      const text = `return ${percent(total_return)}, Sharpe ratio ${ratio(sharpe_ratio)}, largest drawdown ${percent(max_drawdown)}, ${trades}`;
      return `${i + 1}. ${candidateWords(config)}: ${trade_count === 0 ? 'no trades' : text}`;
    })
    .join('\n');

/** What to try next, from what the runs showed. */
export function nextSteps({ best, candidates, luck_p, market_return }: Tested): string[] {
  const leader = best === null ? undefined : candidates[best]?.figures;
  if (leader === undefined) {
    return [
      'Take a longer window, or a filter that holds more often.',
      'Ask for other signals, such as "use an RSI cross".',
    ];
  }
  const steps: string[] = [];
  if (leader.trade_count < 30)
    steps.push('Take a longer window or a shorter timeframe: fewer than 30 trades show little.');
  if (leader.total_return < market_return) {
    steps.push(`Compare with holding: the asset itself returned ${percent(market_return)} over the same window.`);
  }
  if (luck_p === null || luck_p > 0.05)
    steps.push('Test the same rules on another asset or on years that were not used here.');
  if (leader.total_return < 0 && leader.trade_count > 50) {
    steps.push(
      `Trade less often, on longer bars or with a stricter filter: each of the ${leader.trade_count} trades pays costs.`,
    );
  }
  if (leader.max_drawdown > 0.3) steps.push('Lower max_risk_per_trade: the largest drawdown is above 30 %.');
  steps.push('Run an experiment over the parameters, with walk-forward, before you trust one set of them.');
  return steps;
}
