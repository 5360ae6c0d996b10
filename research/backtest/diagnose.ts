import {
  countBitsFrom,
  countDenials,
  type DenialReason,
  formatInterval,
  nextBit,
  type ParamValues,
  type RuleGaps,
  type RuleMasks,
  type Simulation,
  type StrategyPlan,
} from '../../engine/index.js';
import { type SizeLimit, type SizeLimits, sizeRemedies } from './size-limits.js';

/** How many bars passed each stage on the way to an entry, counted in tradable bars. */
export interface Diagnostics {
  readonly bars: number;
  /** Bars at whose close the entry trigger, all entry filters, or both were true. */
  readonly trigger_true: number;
  readonly filter_true: number;
  readonly both_true: number;
  /** Entries denied at the next open, by reason. */
  readonly denied: Readonly<Partial<Record<DenialReason, number>>>;
  readonly filled: number;
  /** Filled entries by the limit that made them smaller than their risk asked for. */
  readonly limited: SizeLimits['limited'];
  /** Entries denied by `min_trade_amount`, by the limit that made them so small. */
  readonly too_small: SizeLimits['tooSmall'];
  /** Rules that are undefined on more than a tenth of the bars after their warm-up. */
  readonly undefined_rules: readonly UndefinedRule[];
  /** Why there is no trade, and what to change; null if there is a trade. */
  readonly verdict: string | null;
}

/** A rule that is false on many bars because a value that it reads is undefined there. */
interface UndefinedRule {
  readonly side: 'entry' | 'exit';
  readonly name: string;
  readonly timeframe: string;
  readonly params: ParamValues;
  /** Of the tradable bars after its warm-up, a fraction. */
  readonly share: number;
}

/** What a run is diagnosed from. */
interface Diagnosed {
  readonly plan: StrategyPlan;
  readonly masks: RuleMasks;
  readonly ruleGaps: readonly RuleGaps[];
  readonly simulation: Simulation;
  /** Index of the first tradable bar. */
  readonly first: number;
  readonly barCount: number;
  readonly limits: SizeLimits;
}

export function diagnose({ plan, masks, ruleGaps, simulation, first, barCount, limits }: Diagnosed): Diagnostics {
  const { limited, tooSmall } = limits;
  const counts = {
    bars: barCount - first,
    trigger_true: countBitsFrom(masks.entryTrigger, first),
    filter_true: countBitsFrom(masks.entryFilter, first),
    both_true: countBitsFrom(masks.entry, first),
    denied: countDenials(simulation.denials),
    filled: simulation.trades.length,
    limited,
    too_small: tooSmall,
    undefined_rules: undefinedRules(plan, ruleGaps),
  };
  const wantsOnlyLast = nextBit(masks.entry, first) === barCount - 1;
  return { ...counts, verdict: counts.filled > 0 ? null : verdictOf(plan, counts, wantsOnlyLast) };
}

/** Up to this share of its bars a rule may be undefined without being named. */
const UNDEFINED_SHARE_MAX = 0.1;

function undefinedRules(plan: StrategyPlan, gaps: readonly RuleGaps[]): UndefinedRule[] {
  return gaps.flatMap(({ side, rule, bars, undefinedBars }) => {
    const planned = plan[side]?.[rule];
    const share = undefinedBars / bars;
    if (planned === undefined || share <= UNDEFINED_SHARE_MAX) return [];
    const { signal, params, timeframeMs } = planned;
    return [{ side, name: signal.name, timeframe: formatInterval(timeframeMs), params, share }];
  });
}

const shareOf = ({ share }: Pick<UndefinedRule, 'share'>): string => `${(100 * share).toFixed(1)} %`;

/** The rules are false where they are undefined, so each is worth a warning. */
export const undefinedWarnings = ({ undefined_rules }: Pick<Diagnostics, 'undefined_rules'>): string[] =>
  undefined_rules.map(
    ({ side, name, timeframe, params, share }) =>
      `the ${side} rule ${name} (${timeframe}, ${JSON.stringify(params)}) is undefined, and so false, on ${shareOf({ share })} of the bars after its warm-up: look for holes, flat stretches or a late start in what it reads`,
  );

/** One sentence on the first stage that stopped every entry, with a remedy. */
function verdictOf(plan: StrategyPlan, counts: Omit<Diagnostics, 'verdict'>, wantsOnlyLast: boolean): string {
  const refused = plan.denied.find(({ side }) => side === 'entry');
  if (refused !== undefined) {
    return `No trades: the entry rule ${refused.name} was refused (${refused.message}), which makes the whole entry false; fix that rule.`;
  }
  const { bars, trigger_true, filter_true, both_true, denied } = counts;
  const named = (role: 'TRIGGER' | 'FILTER') =>
    (plan.entry ?? [])
      .filter((rule) => rule.role === role)
      .map(({ signal, params }) => {
        const gap = counts.undefined_rules.find((rule) => rule.name === signal.name && rule.params === params);
        return gap === undefined ? signal.name : `${signal.name} (undefined on ${shareOf(gap)} of the bars)`;
      })
      .join(' and ');
  if (trigger_true === 0) {
    return `No trades: the trigger ${named('TRIGGER')} was never true on ${bars} bars; try a longer window of data, looser parameters or another timeframe.`;
  }
  if (filter_true === 0) {
    return `No trades: the filter ${named('FILTER')} was never true on ${bars} bars (the trigger was true on ${trigger_true}); loosen it or leave it out.`;
  }
  if (both_true === 0) {
    return `No trades: the trigger was true on ${trigger_true} bars and the filter on ${filter_true}, but never on the same bar; loosen the filter or choose a trigger that fires within it.`;
  }
  const [reason, count] = Object.entries(denied).sort(([, a], [, b]) => b - a)[0] ?? [];
  if (reason === undefined || wantsOnlyLast) {
    return 'No trades: an entry was wanted only at the close of the last bar, and there is no next open to fill it; extend the data.';
  }
  const [limit] = Object.entries(counts.too_small).sort(([, a], [, b]) => b - a)[0] ?? [];
  const remedy =
    reason === 'min_trade_amount' && limit !== undefined
      ? `${limit} makes positions smaller than min_trade_amount: ${sizeRemedies[limit as SizeLimit]}`
      : remedies[reason as DenialReason];
  const total = Object.values(denied).reduce((sum, n) => sum + n, 0);
  return `No trades: all ${total} wanted entries were denied, ${count} of them by ${reason}; ${remedy}.`;
}

/** What lets an entry pass each gate; the end of the verdict. */
const remedies = {
  exit_conflict: 'the exit rule is true at the same close, so choose an exit that does not hold when the entry fires',
  min_balance: 'the account is below its floor, so lower min_balance_threshold',
  cooldown: 'earlier losses block entries, so raise the loss limits or shorten the windows of cooldown_config',
  max_positions: 'raise max_open_positions',
  daily_limit: 'raise max_trades_per_day',
  atr_warmup: 'the ATR needs more history, so start later, shorten atr_period or set atr_long_weight to 0',
  invalid_stop:
    'the stop distance is 0 or reaches below a price of 0, so change atr_volatility_factor or fixed_stop_pct',
  volatility_warmup: 'the volatility needs more history, so start later or shorten volatility_window',
  insufficient_cash: 'no cash can be spent, so lower min_balance_threshold or max_risk_per_trade',
  side_conflict: 'the entry rules of both sides are true at the same close, so choose rules that exclude each other',
  order_working: 'an order of the same side was still working, so shorten entry_valid_bars',
  guard: 'a guard has paused entries, so raise its limit or shorten guard_pause_bars',
  opposite_position: 'positions of the other side were open, so set opposite_entry to reverse or hedge',
  max_exposure: 'the open positions use all of max_gross_exposure, so raise it or size positions smaller',
  min_trade_amount:
    'positions come out too small, so raise max_risk_per_trade or initial_balance, or lower min_trade_amount',
} as const satisfies Record<DenialReason, string>;
