import { resolveParams } from '../../../engine/indicators/index.js';
import { findSignal, requireSignal, type Signal, type SignalType } from '../../../engine/signals/index.js';
import type { AssistantTools } from '../tools.js';
import type { Proposal, ProposedRule } from '../working.js';
import { executionSettings, usual } from './apply.js';
import {
  CANDIDATES_MAX,
  isNamed,
  type Plan,
  type PlannedRule,
  planAssets,
  type Role,
  type StrategyConfig,
  type Style,
} from './plan.js';

const REWARD_FACTOR = 2;

const opposites: readonly (readonly [RegExp, string])[] = [
  [/_up\b/, '_down'],
  [/bullish/, 'bearish'],
  [/upper/, 'lower'],
  [/positive/, 'negative'],
];

/** The event that undoes a trigger; null where the registry has none. */
function exitFor(trigger: PlannedRule): PlannedRule | null {
  if (trigger.name === 'formula') return null;
  const signal = requireSignal(trigger.name);
  if (signal.bias === 'by_direction') return { ...trigger, params: { ...trigger.params, direction: 'bearish' } };
  for (const [pattern, other] of opposites) {
    const found = pattern.test(trigger.name) ? findSignal(trigger.name.replace(pattern, other)) : undefined;
    if (found === undefined || found.type !== 'TRIGGER') continue;
    const params = Object.entries(trigger.params).filter(([name]) => name in found.params && name !== 'threshold');
    const threshold = found.params.threshold;
    const level = threshold !== undefined && threshold.default !== undefined ? { threshold: threshold.default } : {};
    return { ...trigger, name: found.name, params: { ...Object.fromEntries(params), ...level } };
  }
  return null;
}

/**
 * The candidates of a plan. Rules that the user named run exactly as they are. Without them, every
 * trigger of the proposal meets every filter, once with the event that undoes it as its exit and once
 * with the stop and the target alone.
 */
export function assemble(plan: Plan, { triggers, filters }: Proposal, nowMs: number): StrategyConfig[] {
  const { entry, exit, short_entry, short_exit } = plan;
  const isShort = short_entry.length > 0;
  const sides: Pick<StrategyConfig, Role>[] = isNamed(plan)
    ? [{ entry, exit, ...(isShort ? { short_entry, short_exit } : {}) }]
    : triggers.flatMap((trigger) =>
        filters.flatMap((filter) =>
          candidateExits(plan, trigger).map((out) => ({ entry: [trigger, filter], exit: out })),
        ),
      );
  const { reward_factor, ...execution_config } = executionSettings(plan);
  const stamp = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  return sides.slice(0, plan.count ?? CANDIDATES_MAX).map((rules, place) => ({
    name: [plan.asset ?? '', (rules.entry[0] ?? rules.short_entry?.[0])?.name ?? '', place + 1, stamp].join(' ').trim(),
    asset: plan.asset ?? '',
    ...Object.fromEntries(Object.entries(rules).map(([role, list]) => [role, list.map(bare)])),
    ...{ entry: rules.entry.map(bare), exit: rules.exit.map(bare) },
    reward_factor: Number(reward_factor ?? REWARD_FACTOR),
    execution_config,
  }));
}

function candidateExits({ exit }: Plan, trigger: PlannedRule): (readonly PlannedRule[])[] {
  if (exit.length > 0) return [exit];
  const opposite = exitFor(trigger);
  return opposite === null ? [[]] : [[opposite], []];
}

const bare = ({ name, signal_type, timeframe, params }: PlannedRule): PlannedRule => ({
  ...{ name, signal_type, timeframe, params },
});

/** Signals that stand for a style, for plans that name no rules. */
const byStyle: Readonly<Record<Style, { readonly triggers: readonly string[]; readonly filters: readonly string[] }>> =
  {
    trend: { triggers: ['ema_cross_up', 'supertrend_flip_up'], filters: ['is_above_sma', 'adx_strong_trend'] },
    mean_reversion: {
      triggers: ['rsi_cross_up', 'bullish_engulfing_trigger'],
      filters: ['is_above_sma', 'vwap_below'],
    },
    breakout: { triggers: ['dc_upper_breakout', 'bb_upper_breakout'], filters: ['obv_bullish', 'adx_strong_trend'] },
    momentum: { triggers: ['macd_bullish_cross', 'mom_cross_up'], filters: ['roc_positive', 'price_above_ema'] },
    flows: {
      triggers: ['funding_flip_positive', 'ema_cross_up'],
      filters: ['funding_negative_regime', 'is_above_sma'],
    },
  };

/** For parameters without a default. */
const usualValues: Readonly<Record<string, number>> = { window: 50, window_fast: 12, window_slow: 50 };

/**
 * The signals from which candidates are made: the rules that the user named, or the rules of the
 * style.
 */
export async function makeProposal(plan: Plan, tools: Pick<AssistantTools, 'columnsBeside'>): Promise<Proposal> {
  if (isNamed(plan)) {
    const reason = 'You named it.';
    const sides = [plan.entry, plan.short_entry].map((rules) => rules.map((rule) => ({ ...rule, reason })));
    return {
      triggers: sides.flatMap((rules) => rules.slice(0, 1)),
      filters: sides.flatMap((rules) => rules.slice(1)),
    };
  }
  const timeframe = plan.timeframe ?? usual.timeframe;
  const beside = await Promise.all(planAssets(plan).map((asset) => tools.columnsBeside(asset, timeframe)));
  const columns = (beside[0] ?? []).filter((column) => beside.every((own) => own.includes(column)));
  const style = byStyle[plan.style ?? usual.style];
  const pick = (type: SignalType, names: readonly string[]): ProposedRule[] =>
    names.flatMap((name) => {
      const signal = requireSignal(name);
      const lacks = signal.requires.some((column) => !isPrice(column) && !columns.includes(column));
      return lacks ? [] : [{ ...usualRule(signal, type, timeframe), reason: signal.description }];
    });
  return { triggers: pick('TRIGGER', style.triggers), filters: pick('FILTER', style.filters) };
}

const isPrice = (column: string): boolean => ['Open', 'High', 'Low', 'Close', 'Volume'].includes(column);

/** A rule with the usual numbers. */
function usualRule(signal: Signal, signal_type: SignalType, timeframe: string) {
  const given = Object.fromEntries(
    Object.keys(signal.params)
      .filter((name) => signal.params[name]?.default === undefined && name in usualValues)
      .map((name) => [name, usualValues[name]]),
  );
  return { name: signal.name, signal_type, timeframe, params: resolveParams(signal, given) };
}
