import { percentDigits } from '../../../report/index.js';
import type { StrategyConfig } from '../candidate.js';
import type { Collected, Proposal, Tested } from '../mind.js';
import { ruleWords } from './propose.js';
import { type Say, sayIn } from './sentences/say.js';

/** A percentage; what rounds to zero has no sign. */
export const percent = (value: number, digits = 1): string =>
  `${(100 * value).toFixed(digits).replace(/^-(?=[0.]+$)/, '')} %`;
/** A whole percentage, or the first digit of a smaller one. */
export const roundPercent = (value: number): string => percent(value, percentDigits(value));
export const ratio = (value: number | null, say: Say): string =>
  value === null ? say('undefinedRatio') : value.toFixed(2);
export const tradesText = (count: number, say: Say): string =>
  count === 1 ? say('oneTrade') : say('trades', { count });

/** Everything that is known, in one line: `BTC, 4h bars, following a trend` */
export function understanding(collected: Collected): string {
  const { asset, timeframe, style, start_date, end_date, lookback_months, max_risk_per_trade, reward_factor } =
    collected;
  const { entry, exit, excluded, count, settings, language } = collected;
  const say = sayIn(language);
  const listed = (rules: Collected['entry']) => rules.map((rule) => ruleWords(rule, say)).join(` ${say('and')} `);
  const parts = [
    ...(asset === null ? [] : [asset]),
    ...(timeframe === null ? [] : [say('bars', { timeframe })]),
    ...(style === null || entry.length > 0 ? [] : [say(style)]),
    ...(entry.length === 0 ? [] : [say('buyOn', { rules: listed(entry) })]),
    ...(exit.length === 0 ? [] : [say('sellOn', { rules: listed(exit) })]),
    ...(excluded.length === 0 ? [] : [excluded.map((name) => say('notWanted', { name })).join(', ')]),
    ...windowWords(start_date, end_date, lookback_months, say),
    ...(max_risk_per_trade === null ? [] : [say('risk', { share: plainPercent(max_risk_per_trade) })]),
    ...(reward_factor === null ? [] : [say('target', { factor: reward_factor })]),
    ...Object.entries(settings)
      .filter(([name]) => name !== otherStop(settings))
      .flatMap(([name, value]) => settingWords[name]?.(Number(value), say) ?? []),
    ...(count === null ? [] : [count === 1 ? say('oneCandidate') : say('candidates', { count })]),
  ];
  return parts.join(', ');
}

/** A share as it was written: `0.05 %` */
export const plainPercent = (value: number): string => `${Number((100 * value).toPrecision(6))} %`;

/** The setting of the stop that does not act. */
const otherStop = ({ stop_loss_calculation }: Collected['settings']): string =>
  stop_loss_calculation === 'fixed' ? 'atr_volatility_factor' : 'fixed_stop_pct';

const settingWords: Readonly<Record<string, (value: number, say: Say) => string>> = {
  fixed_stop_pct: (value, say) => say('stop', { share: plainPercent(value) }),
  atr_volatility_factor: (factor, say) => say('atrStop', { factor }),
  atr_period: (bars, say) => say('atrPeriod', { bars }),
  initial_balance: (amount, say) => say('account', { amount }),
  max_hold_bars: (bars, say) => say('holdBars', { bars }),
  fee_pct: (value, say) => say('fee', { share: plainPercent(value) }),
  slippage_pct: (value, say) => say('slippage', { share: plainPercent(value) }),
};

function windowWords(start: string | null, end: string | null, months: number | null, say: Say): string[] {
  if (start !== null) return [end === null ? say('since', { day: start }) : say('fromTo', { start, end })];
  if (end !== null) return [say('until', { day: end })];
  return months === null ? [] : [say('lastMonths', { months })];
}

export const proposalWords = ({ triggers, filters }: Proposal, say = sayIn('en')): string =>
  [
    say('triggers'),
    ...triggers.map((rule) => `- ${ruleWords(rule, say)}. ${rule.reason}`),
    ...(filters.length === 0 ? [] : [say('filters')]),
    ...filters.map((rule) => `- ${ruleWords(rule, say)}. ${rule.reason}`),
  ].join('\n');

/** `ema_cross_up with is_above_sma, exit on ema_cross_down` */
export function candidateWords({ entry: rules, exit: outs }: StrategyConfig, say = sayIn('en')): string {
  const entry = rules.map((rule) => shortName(rule, say)).join(` ${say('with')} `);
  const exit = outs.map((rule) => shortName(rule, say)).join(` ${say('and')} `);
  return exit === '' ? say('exitByStop', { entry }) : say('exitOn', { entry, exit });
}

/** A signal by its name, a formula by what it says. */
const shortName = ({ name, params }: StrategyConfig['entry'][number], say: Say): string =>
  name === 'formula' ? say('shortFormula', { formula: String(params.when) }) : name;

/** A line for each candidate with the figures of its run. */
export const resultLines = ({ candidates }: Tested, say = sayIn('en')): string =>
  candidates
    .map(({ config, figures }, i) => {
      const { total_return, sharpe_ratio, max_drawdown, trade_count } = figures;
      const text = say('result', {
        total: percent(total_return),
        sharpe: ratio(sharpe_ratio, say),
        drawdown: percent(max_drawdown),
        trades: tradesText(trade_count, say),
      });
      return `${i + 1}. ${candidateWords(config, say)}: ${trade_count === 0 ? say('noTrades') : text}`;
    })
    .join('\n');

/** What to try next, from what the runs showed. */
export function nextSteps({ best, candidates, luck_p, market_return }: Tested, say: Say): string[] {
  const leader = best === null ? undefined : candidates[best]?.figures;
  if (leader === undefined) return [say('tryLonger'), say('tryOthers')];
  const steps: string[] = [];
  if (leader.trade_count < 30) steps.push(say('tryMoreTrades'));
  if (leader.total_return < market_return) steps.push(say('tryHolding', { market: percent(market_return) }));
  if (luck_p === null || luck_p > 0.05) steps.push(say('tryElsewhere'));
  if (leader.total_return < 0 && leader.trade_count > 50) steps.push(say('tryLess', { trades: leader.trade_count }));
  if (leader.max_drawdown > 0.3) steps.push(say('tryLowerRisk'));
  steps.push(say('tryExperiment'));
  return steps;
}
