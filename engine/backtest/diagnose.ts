import {
  countDenials,
  type DenialReason,
  type ExecutionConfig,
  type Simulation,
  type SizeLimit,
} from '../execution/index.js';
import type { ParamValues } from '../indicators/index.js';
import { countBitsFrom, formatInterval, nextBit } from '../series/index.js';
import {
  type PlannedRule,
  plannedRules,
  type RuleGaps,
  type RuleListKey,
  type RuleMasks,
  type SideMasks,
  type StrategyPlan,
} from '../strategy/index.js';
import { type SizeLimits, sizeRemedies } from './size-limits.js';

/** How many bars passed each stage on the way to an entry, counted in tradable bars. */
interface Stages {
  /** Bars at whose close the entry trigger, all entry filters, or both were true. */
  readonly trigger_true: number;
  readonly filter_true: number;
  readonly both_true: number;
  /** Entries denied, by reason. */
  readonly denied: Readonly<Partial<Record<DenialReason, number>>>;
  readonly filled: number;
}

/** The stages of one side of a strategy that has a short side. */
interface SideDiagnostics extends Stages {
  /** Why the side has no trade, and what to change; null if it has one. */
  readonly verdict: string | null;
}

/** The stages of a run. With a short side they are sums over both sides. */
export interface Diagnostics extends Stages {
  readonly bars: number;
  /** Filled entries by the limit that made them smaller than their risk asked for. */
  readonly limited: SizeLimits['limited'];
  /** Entries denied by `min_trade_amount`, by the limit that made them so small. */
  readonly too_small: SizeLimits['tooSmall'];
  /** Rules that are undefined on more than a tenth of the bars after their warm-up. */
  readonly undefined_rules: readonly UndefinedRule[];
  /** Why there is no trade, and what to change; null if there is a trade. */
  readonly verdict: string | null;
  /** By side; only where the strategy has a short side. A side without rules is left out. */
  readonly long?: SideDiagnostics;
  readonly short?: SideDiagnostics;
  /** Entry orders that were placed, and how many of them expired; only where entries are orders. */
  readonly order_placed?: number;
  readonly order_expired?: number;
  /** Exits that finer bars decided; only with `detail_interval`. */
  readonly detail?: { readonly resolved: number; readonly changed: number; readonly unresolved: number };
}

/** What the diagnosis reads of one side. */
interface Side {
  readonly name: 'long' | 'short';
  readonly list: 'entry' | 'short_entry';
  readonly rules: readonly PlannedRule[] | null;
  readonly stages: Stages;
  /** The entry rules were true at the last close and at no other. */
  readonly wantsOnlyLast: boolean;
}

/** A rule that is false on many bars because a value that it reads is undefined there. */
interface UndefinedRule {
  readonly side: RuleListKey;
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
  readonly config: ExecutionConfig;
}

export function diagnose(diagnosed: Diagnosed): Diagnostics {
  const { plan, masks, ruleGaps, simulation, first, barCount, limits, config } = diagnosed;
  const { limited, tooSmall } = limits;
  const bars = barCount - first;
  const { sided } = simulation;
  const sides = sidesWithRules(plan, masks, simulation, first, barCount);
  const undefined_rules = undefinedRules(plan, ruleGaps);
  const facts = { bars, plan, tooSmall, undefinedRules: undefined_rules, expired: sided?.orders.expired ?? 0 };
  const isOne = masks.short === undefined;
  const verdicts = sides.map((side) =>
    side.stages.filled > 0 ? null : sideVerdict(side, facts, isOne ? 'No trades' : `No ${side.name} trades`),
  );
  const total = (count: (stages: Stages) => number) => sides.reduce((sum, { stages }) => sum + count(stages), 0);
  const filled = total((stages) => stages.filled);
  return {
    bars,
    trigger_true: total((stages) => stages.trigger_true),
    filter_true: total((stages) => stages.filter_true),
    both_true: total((stages) => stages.both_true),
    denied: countDenials(simulation.denials),
    filled,
    limited,
    too_small: tooSmall,
    undefined_rules,
    verdict: filled > 0 ? null : verdicts.join(' '),
    ...(!isOne &&
      Object.fromEntries(sides.map(({ name, stages }, i) => [name, { ...stages, verdict: verdicts[i] ?? null }]))),
    ...(sided !== undefined &&
      config.entry_order !== undefined && { order_placed: sided.orders.placed, order_expired: sided.orders.expired }),
    ...(sided !== undefined && (config.detail_interval ?? null) !== null && { detail: sided.detail }),
  };
}

/** The sides that a strategy has rules for. */
function sidesWithRules(
  plan: StrategyPlan,
  masks: RuleMasks,
  simulation: Simulation,
  first: number,
  barCount: number,
): Side[] {
  const { denials, trades } = simulation;
  const shorts = new Set(simulation.sided?.deniedShorts);
  const side = (name: Side['name'], { entry, entryTrigger, entryFilter }: SideMasks): Side => {
    const isShort = name === 'short';
    const reasons = denials.reasons.filter((_, i) => shorts.has(i) === isShort);
    return {
      name,
      list: isShort ? 'short_entry' : 'entry',
      rules: isShort ? (plan.shortEntry ?? null) : plan.entry,
      stages: {
        trigger_true: countBitsFrom(entryTrigger, first),
        filter_true: countBitsFrom(entryFilter, first),
        both_true: countBitsFrom(entry, first),
        denied: countDenials({ reasons }),
        filled: trades.filter(({ details }) => (details?.side === 'short') === isShort).length,
      },
      wantsOnlyLast: nextBit(entry, first) === barCount - 1,
    };
  };
  if (masks.short === undefined) return [side('long', masks)];
  const hasLong = plan.entry === null || plan.entry.length > 0;
  return [...(hasLong ? [side('long', masks)] : []), side('short', masks.short)];
}

interface VerdictFacts {
  readonly bars: number;
  readonly plan: StrategyPlan;
  readonly tooSmall: SizeLimits['tooSmall'];
  readonly undefinedRules: readonly UndefinedRule[];
  /** Entry orders of both sides that expired. */
  readonly expired: number;
}

/** Up to this share of its bars a rule may be undefined without being named. */
const UNDEFINED_SHARE_MAX = 0.1;

function undefinedRules(plan: StrategyPlan, gaps: readonly RuleGaps[]): UndefinedRule[] {
  return gaps.flatMap(({ side, rule, bars, undefinedBars }) => {
    const planned = plannedRules(plan).filter(({ list }) => list === side)[rule]?.rule;
    const share = undefinedBars / bars;
    if (planned === undefined || share <= UNDEFINED_SHARE_MAX) return [];
    const { signal, params, timeframeMs } = planned;
    return [{ side, name: signal.name, timeframe: formatInterval(timeframeMs), params, share }];
  });
}

const shareText = ({ share }: Pick<UndefinedRule, 'share'>): string => `${(100 * share).toFixed(1)} %`;

/** The rules are false where they are undefined, so each is worth a warning. */
export const undefinedWarnings = ({ undefined_rules }: Pick<Diagnostics, 'undefined_rules'>): string[] =>
  undefined_rules.map(
    ({ side, name, timeframe, params, share }) =>
      `the ${side.replace('_', ' ')} rule ${name} (${timeframe}, ${JSON.stringify(params)}) is undefined, and so false, on ${shareText({ share })} of the bars after its warm-up: look for holes, flat stretches or a late start in what it reads`,
  );

/** One sentence on the first stage that stopped every entry, with a remedy. */
function sideVerdict(
  side: Side,
  { bars, plan, tooSmall, undefinedRules, expired }: VerdictFacts,
  head: string,
): string {
  const refused = plan.denied.find((rule) => rule.side === side.list);
  const word = side.list === 'entry' ? 'entry' : 'short entry';
  if (refused !== undefined) {
    return `${head}: the ${word} rule ${refused.name} was refused (${refused.message}), which makes the whole ${word} false; fix that rule.`;
  }
  const { trigger_true, filter_true, both_true, denied } = side.stages;
  const named = (role: 'TRIGGER' | 'FILTER') =>
    (side.rules ?? [])
      .filter((rule) => rule.role === role)
      .map(({ signal, params }) => {
        const gap = undefinedRules.find(
          (rule) => rule.side === side.list && rule.name === signal.name && rule.params === params,
        );
        return gap === undefined ? signal.name : `${signal.name} (undefined on ${shareText(gap)} of the bars)`;
      })
      .join(' and ');
  if (trigger_true === 0) {
    return `${head}: the trigger ${named('TRIGGER')} was never true on ${bars} bars; try a longer window of data, looser parameters or another timeframe.`;
  }
  if (filter_true === 0) {
    return `${head}: the filter ${named('FILTER')} was never true on ${bars} bars (the trigger was true on ${trigger_true}); loosen it or leave it out.`;
  }
  if (both_true === 0) {
    return `${head}: the trigger was true on ${trigger_true} bars and the filter on ${filter_true}, but never on the same bar; loosen the filter or choose a trigger that fires within it.`;
  }
  const [reason, count] = Object.entries(denied).sort(([, a], [, b]) => b - a)[0] ?? [];
  if (expired > (count ?? 0)) {
    return `${head}: ${expired} entry orders expired before the price reached them; raise entry_valid_bars or bring the order nearer to the close.`;
  }
  if (reason === undefined || side.wantsOnlyLast) {
    return `${head}: an entry was wanted only at the close of the last bar, and there is no next open to fill it; extend the data.`;
  }
  const [limit] = Object.entries(tooSmall).sort(([, a], [, b]) => b - a)[0] ?? [];
  const remedy =
    reason === 'min_trade_amount' && limit !== undefined
      ? `${limit} makes positions smaller than min_trade_amount: ${sizeRemedies[limit as SizeLimit]}`
      : remedies[reason as DenialReason];
  const total = Object.values(denied).reduce((sum, n) => sum + n, 0);
  return `${head}: all ${total} wanted entries were denied, ${count} of them by ${reason}; ${remedy}.`;
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
  portfolio_positions: 'the portfolio holds as many positions as it may, so raise its max_open_positions',
  min_trade_amount:
    'positions come out too small, so raise max_risk_per_trade or initial_balance, or lower min_trade_amount',
} as const satisfies Record<DenialReason, string>;
