import { executionFields } from '../../../engine/index.js';
import { roles } from '../candidate.js';
import type { Change } from '../mind.js';
import { outOfBounds } from './rules/bounds.js';
import type { Say } from './sentences/say.js';
import { plainPercent } from './words.js';

/** Bounds of what a change may set; shares are fractions, and the lower bounds are excluded. */
export const changeBounds = {
  max_risk_per_trade: { low: 0, high: 0.1 },
  reward_factor: { low: 0, high: 100 },
  fixed_stop_pct: { low: 0, high: 0.99 },
  atr_volatility_factor: { low: 0, high: 100 },
  // A position is at least paid in full; bounds that may be reached lie just outside.
  leverage: { low: 1 - 1e-12, high: executionFields.leverage.max },
  fixed_target_pct: { low: 0, high: executionFields.fixed_target_pct.max },
  // A cost may be 0, so its lower bound lies just below.
  fee_pct: { low: -1e-12, high: executionFields.fee_pct.max },
  borrow_rate: { low: -1e-12, high: executionFields.borrow_rate.max },
  slippage_pct: { low: -1e-12, high: executionFields.slippage_pct.max },
  lookback_months: { low: 0, high: 240 },
  count: { low: 0, high: 8 },
} as const;

const bounded = {
  max_risk_per_trade: ['riskName', plainPercent],
  reward_factor: ['rewardName', String],
  fixed_stop_pct: ['stopName', plainPercent],
  atr_volatility_factor: ['atrStopName', String],
  leverage: ['leverageName', String],
  fixed_target_pct: ['targetName', plainPercent],
  fee_pct: ['feeName', plainPercent],
  borrow_rate: ['borrowName', plainPercent],
  slippage_pct: ['slippageName', plainPercent],
  lookback_months: ['monthsName', String],
} as const;

type Bounded = keyof typeof bounded;

/** Why a change cannot set a value, as a sentence; null where it can. */
export function outsideBounds(name: Bounded, value: number, say: Say): string | null {
  const { low, high } = changeBounds[name];
  if (value > low && value <= high) return null;
  const [sentence, written] = bounded[name];
  return say('outside', {
    name: say(sentence),
    value: written(value),
    low: written(Math.max(0, Number(low.toPrecision(6)))),
    high: written(high),
  });
}

/**
 * Why a change cannot be met, in sentences, whoever made it: the grammar or a language model.
 * Empty where it can.
 * @param held assets that have bars
 */
export function refusalsOf(change: Change, held: readonly string[], say: Say): string[] {
  const { asset, portfolio = [], dates = {}, settings = {}, count, max_risk_per_trade, reward_factor } = change;
  const { start_date: start, end_date: end, lookback_months } = dates;
  const values: Readonly<Partial<Record<Bounded, unknown>>> = {
    ...settings,
    ...{ max_risk_per_trade, reward_factor, lookback_months },
  };
  const outside = (Object.keys(bounded) as Bounded[]).flatMap((name) => {
    const value = values[name];
    return typeof value === 'number' ? (outsideBounds(name, value, say) ?? []) : [];
  });
  const wrongDays = [start, end].flatMap((day) =>
    typeof day === 'string' && !isDay(day) ? [say('noSuchDay', { day })] : [],
  );
  const isBackwards = typeof start === 'string' && typeof end === 'string' && start >= end;
  const most = changeBounds.count.high;
  return [
    ...[...new Set([...(asset === undefined ? [] : [asset]), ...portfolio])]
      .filter((symbol) => !held.includes(symbol))
      .map((symbol) => say('noBarsOf', { asset: symbol, assets: held.join(', ') })),
    ...outside,
    ...wrongDays,
    ...(isBackwards && wrongDays.length === 0 ? [say('endsBefore', { start, end })] : []),
    ...(count !== undefined && !(count >= 1 && count <= most) ? [say('tooManyCandidates', { count, most })] : []),
    ...outOfBounds(
      roles.flatMap((role) => change[role] ?? []),
      say,
    ),
  ];
}

/** Whether the calendar has a day such as `2024-01-31`. */
export const isDay = (text: string): boolean =>
  !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);
