import { resolveParams } from '../../../engine/indicators/index.js';
import { requireSignal, type Signal, type SignalType } from '../../../engine/signals/index.js';
import type { AssistantTools } from '../tools.js';
import type { Proposal, ProposedRule } from '../working.js';
import { usual } from './apply.js';
import type { Style } from './change.js';
import { isNamed, type Plan, planAssets } from './plan.js';

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
