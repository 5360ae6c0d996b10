import { percentDigits } from '../../../report/index.js';
import type { StrategyConfig } from '../candidate.js';
import type { Collected, Proposal, Tested } from '../mind.js';
import { isNamed, ruleWords } from './propose.js';
import { type Say, sayIn } from './sentences/say.js';
import { liquidationOf, shortSideOf, trailSettings } from './sides.js';

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
  const { entry, exit, excluded, count, language, trail, portfolio } = collected;
  const { entry: short_entry, exit: short_exit } = shortSideOf(collected) ?? { entry: [], exit: [] };
  const settings: Collected['settings'] = { ...collected.settings, ...trailSettings(trail, collected.settings) };
  const say = sayIn(language);
  const listed = (rules: Collected['entry']) => rules.map((rule) => ruleWords(rule, say)).join(` ${say('and')} `);
  const parts = [
    ...(portfolio.length > 0
      ? [say('oneAccountOver', { assets: assetWords(portfolio, say) })]
      : asset === null
        ? []
        : [asset]),
    ...(timeframe === null ? [] : [say('bars', { timeframe })]),
    ...(style === null || isNamed(collected) ? [] : [say(style)]),
    ...sideWords(collected, say),
    ...(entry.length === 0 ? [] : [say('buyOn', { rules: listed(entry) })]),
    ...(exit.length === 0 ? [] : [say('sellOn', { rules: listed(exit) })]),
    ...(short_entry.length === 0 ? [] : [say('shortOn', { rules: listed(short_entry) })]),
    ...(short_exit.length === 0 ? [] : [say('coverOn', { rules: listed(short_exit) })]),
    ...(excluded.length === 0 ? [] : [excluded.map((name) => say('notWanted', { name })).join(', ')]),
    ...windowWords(start_date, end_date, lookback_months, say),
    ...(max_risk_per_trade === null ? [] : [say('risk', { share: plainPercent(max_risk_per_trade) })]),
    ...(reward_factor === null || isOtherTarget(settings) ? [] : [say('target', { factor: reward_factor })]),
    ...Object.entries(settings)
      .filter(([name, value]) => !isIdle(name, settings) && !(name === 'leverage' && value === 1))
      .flatMap(([name, value]) => settingWords[name]?.(Number(value), say) ?? []),
    ...(settings.stop_order === false ? [say('noStop')] : []),
    ...targetWords(settings, say),
    ...(settings.opposite_entry === 'reverse' ? [say('reverses')] : []),
    ...trailWords(trail, say),
    ...(count === null ? [] : [count === 1 ? say('oneCandidate') : say('candidates', { count })]),
  ];
  return parts.join(', ');
}

/** `BTC, ETH and SOL` */
export const assetWords = (assets: readonly string[], say: Say): string =>
  assets.length < 2 ? assets.join('') : `${assets.slice(0, -1).join(', ')} ${say('and')} ${assets.at(-1)}`;

/** A share as it was written: `0.05 %` */
export const plainPercent = (value: number): string => `${Number((100 * value).toPrecision(6))} %`;

/** Whether a setting is of a stop that does not act. */
function isIdle(name: string, { stop_loss_calculation: way, stop_order: has }: Collected['settings']): boolean {
  const ofStops = has === false ? ['atr_volatility_factor', 'fixed_stop_pct', 'atr_period'] : [];
  return [...ofStops, way === 'fixed' ? 'atr_volatility_factor' : 'fixed_stop_pct'].includes(name);
}

/** Which sides are traded, where no rule says it. */
const sideWords = ({ sides, entry, short_entry }: Collected, say: Say): string[] => {
  if (sides === 'long' || isNamed({ entry, short_entry })) return [];
  return [say(sides === 'short' ? 'shortSide' : 'bothSides')];
};

function trailWords(trail: Collected['trail'], say: Say): string[] {
  if (trail === null) return [];
  const words = trail.share === null ? say('trailAlong') : say('trailAt', { share: plainPercent(trail.share) });
  return [trail.start === null ? words : `${words} ${say('trailFrom', { share: plainPercent(trail.start) })}`];
}

/** Whether the target is none of a multiple of the risk. */
const isOtherTarget = ({ target_calculation: way = 'reward' }: Collected['settings']): boolean => way !== 'reward';

function targetWords(
  { target_calculation, target_schedule, fixed_target_pct }: Collected['settings'],
  say: Say,
): string[] {
  if (target_calculation === 'none') return [say('noTarget')];
  if (target_calculation === 'fixed') return [say('fixedTarget', { share: plainPercent(Number(fixed_target_pct)) })];
  if (target_calculation !== 'schedule' || !Array.isArray(target_schedule)) return [];
  const pairs = (target_schedule as readonly (readonly [number, number])[])
    .map(([bar, share]) => say('schedulePair', { share: plainPercent(share), bar }))
    .join(', ');
  return [say('schedule', { pairs })];
}

const settingWords: Readonly<Record<string, (value: number, say: Say) => string>> = {
  fixed_stop_pct: (value, say) => say('stop', { share: plainPercent(value) }),
  atr_volatility_factor: (factor, say) => say('atrStop', { factor }),
  atr_period: (bars, say) => say('atrPeriod', { bars }),
  initial_balance: (amount, say) => say('account', { amount }),
  max_hold_bars: (bars, say) => say('holdBars', { bars }),
  leverage: (factor, say) => say('leverage', { factor }),
  borrow_rate: (value, say) => say('borrowRate', { share: plainPercent(value) }),
  break_even_at: (factor, say) => say('breakEven', { factor }),
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

/** `ema_cross_up with is_above_sma, exit on ema_cross_down`, and the same of a short side. */
export function candidateWords(config: StrategyConfig, say = sayIn('en')): string {
  const side = (rules: StrategyConfig['entry'], outs: StrategyConfig['exit'], isShort: boolean): string[] => {
    if (rules.length === 0) return [];
    const entry = rules.map((rule) => shortName(rule, say)).join(` ${say('with')} `);
    const exit = outs.map((rule) => shortName(rule, say)).join(` ${say('and')} `);
    return [say(isShort ? 'shortExitSide' : 'exitSide', { entry, ways: waysOut(exit, config, say) })];
  };
  const { entry, exit, short_entry = [], short_exit = [] } = config;
  return [...side(entry, exit, false), ...side(short_entry, short_exit, true)].join('; ');
}

/** By which rules and orders a side leaves. */
function waysOut(exit: string, { execution_config: settings }: StrategyConfig, say: Say): string {
  const orders = [
    ...(settings.stop_order === false ? [] : [say('wayStop')]),
    ...(settings.target_calculation === 'none' ? [] : [say('wayTarget')]),
  ];
  const [way] = orders;
  if (exit === '')
    return orders.length > 1 ? say('waysOrders') : way === undefined ? say('waysNone') : say('waysOne', { way });
  if (orders.length > 1) return say('waysAll', { exit });
  return way === undefined ? say('waysRules', { exit }) : say('waysBoth', { exit, way });
}

const isSizedByRisk = ({ settings }: Collected): boolean => (settings.position_sizing ?? 'risk') === 'risk';

/** Where the venue closes positions, where any borrow; nothing without leverage. */
export function liquidationWords(collected: Collected, say: Say): string[] {
  const found = liquidationOf(collected);
  if (found === null) return [];
  const share = roundPercent(found.share);
  return [
    say('liquidation', { leverage: found.leverage, share }),
    ...(found.isBeforeStop ? [say('liquidationBeforeStop')] : []),
    ...(isSizedByRisk(collected) ? [say('leverageSizes')] : []),
  ];
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

/** What is held instead: the asset, or all of them evenly. */
export const heldWords = ({ assets }: Tested, say: Say): string =>
  assets === undefined ? say('theAsset') : say('heldEvenly', { assets: assetWords(assets, say) });

/** What to try next, from what the runs showed. */
export function nextSteps(tested: Tested, say: Say): string[] {
  const { best, candidates, luck_p, market_return } = tested;
  const leader = best === null ? undefined : candidates[best]?.figures;
  if (leader === undefined) return [say('tryLonger'), say('tryOthers')];
  const steps: string[] = [];
  if (leader.trade_count < 30) steps.push(say('tryMoreTrades'));
  if (leader.total_return < market_return)
    steps.push(say('tryHolding', { held: heldWords(tested, say), market: percent(market_return) }));
  if (luck_p === null || luck_p > 0.05) steps.push(say('tryElsewhere'));
  if (leader.total_return < 0 && leader.trade_count > 50) steps.push(say('tryLess', { trades: leader.trade_count }));
  if (leader.max_drawdown > 0.3) steps.push(say('tryLowerRisk'));
  steps.push(say('tryExperiment'));
  return steps;
}
