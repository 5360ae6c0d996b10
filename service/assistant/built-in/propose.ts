import { quote, requireSignal, type Signal, type SignalType } from '../../../engine/index.js';
import type { Collected, Proposal, ProposedRule, Style } from '../mind.js';
import type { AssistantTools, SignalMatch } from '../tools.js';
import { type Say, sayIn } from './sentences/say.js';

/** Signals that stand for a style, for descriptions that name none. */
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

export const styles = Object.keys(byStyle) as [Style, ...Style[]];

/** What stands in for points that the user leaves open. */
export const usual = { asset: 'BTC', timeframe: '1h', style: 'trend' } as const;

/** Signals of each role that are proposed. */
const PROPOSED_MAX = 2;
/** Words of the user that a reason quotes. */
const SAID_MAX = 3;
/** A match below this score has little more than a word in common with the description. */
const SCORE_MIN = 0.3;

/** For parameters without a default. Others get the geometric mean of their bounds. */
const usualValues: ReadonlyMap<string, number> = new Map([
  ['window', 50],
  ['window_fast', 12],
  ['window_slow', 50],
]);

/** Whether the user named rules that open positions. */
export const isNamed = ({ entry, short_entry }: Pick<Collected, 'entry' | 'short_entry'>): boolean =>
  entry.length + short_entry.length > 0;

/** The proposal that is the rules which the user named. */
export function namedProposal({
  entry,
  short_entry,
  language,
}: Pick<Collected, 'entry' | 'short_entry' | 'language'>): Proposal {
  const reason = sayIn(language)('youNamedIt');
  const sides = [entry, short_entry].map((rules) => rules.map((rule) => ({ ...rule, reason })));
  return {
    triggers: sides.flatMap((rules) => rules.slice(0, 1)),
    filters: sides.flatMap((rules) => rules.slice(1)),
  };
}

interface ProposedSignals {
  readonly proposal: Proposal;
  /** Columns that signals of the description read and the asset does not have. */
  readonly missingColumns: readonly string[];
}

/**
 * Proposes triggers and filters of the style, and for flows those of the library that fit the
 * words. Bearish ones are left out, because positions are long, and so is what the user does not
 * want.
 */
export function proposeSignals(
  description: string,
  { timeframe, style, excluded, language }: Pick<Collected, 'timeframe' | 'style' | 'excluded' | 'language'>,
  columns: readonly string[],
  tools: Pick<AssistantTools, 'findSignals'>,
): ProposedSignals {
  const missing = new Set<string>();
  const say = sayIn(language);
  const ofStyle = byStyle[style ?? usual.style];
  const pick = (type: SignalType, others: readonly string[]): ProposedRule[] => {
    // Signals of other styles that the user means are named, and a word in common names none.
    const searched = style === 'flows' ? tools.findSignals(description, 'entry', type) : [];
    const matched = searched.filter(({ score }) => score >= SCORE_MIN);
    const named = matched.map((match) => ({ name: match.signal_name, reason: wordsOf(match, say) }));
    const fallback = others.map((name) => ({
      name,
      reason: say('usualFor', { description: requireSignal(name).description, style: say(style ?? usual.style) }),
    }));
    const rules: ProposedRule[] = [];
    const families = new Set<string>();
    for (const { name, reason } of [...inTurns(named, fallback), ...(excluded.length === 0 ? [] : stand(type))]) {
      if (rules.length >= PROPOSED_MAX) break;
      const signal = requireSignal(name);
      if (signal.bias === 'bearish' || signal.category === 'user' || isExcluded(name, excluded)) continue;
      const lacking = signal.requires.filter((column) => !isPrice(column) && !columns.includes(column));
      for (const column of lacking) missing.add(column);
      const family = [...signal.indicators].sort().join();
      if (lacking.length > 0 || rules.some((rule) => rule.name === name) || families.has(family)) continue;
      families.add(family);
      rules.push({ ...ruleOf(signal, type, timeframe ?? usual.timeframe), reason });
    }
    return rules;
  };
  return {
    proposal: { triggers: pick('TRIGGER', ofStyle.triggers), filters: pick('FILTER', ofStyle.filters) },
    missingColumns: [...missing],
  };
}

/** Signals of all styles, for a user who does not want those of the style. */
const stand = (type: SignalType) =>
  Object.values(byStyle).flatMap(({ triggers, filters }) =>
    (type === 'TRIGGER' ? triggers : filters).map((name) => ({ name, reason: requireSignal(name).description })),
  );

/** Whether a user does not want the indicator of a signal. */
export const isExcluded = (name: string, excluded: readonly string[]): boolean =>
  excluded.some((key) => `_${name}_`.includes(`_${key}_`));

const isPrice = (column: string): boolean => ['Open', 'High', 'Low', 'Close', 'Volume'].includes(column);

/** A rule with the usual numbers. */
export function ruleOf(signal: Signal, type: SignalType, timeframe: string) {
  const params: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(signal.params)) {
    if (spec.default !== undefined) params[name] = spec.default;
    else if (spec.type === 'int' || spec.type === 'float') {
      const usual = usualValues.get(name) ?? Math.round(Math.sqrt(Math.max(1, spec.min) * spec.max));
      params[name] = Math.min(Math.max(usual, spec.min), spec.max);
    }
  }
  if (signal.bias === 'by_direction') params.direction = 'bullish';
  return {
    name: signal.name,
    signal_type: type,
    timeframe,
    params,
  };
}

/** The first of one list, the first of the other, the second of one, and so on. */
const inTurns = <T>(one: readonly T[], other: readonly T[]): T[] =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, i) => [
    ...one.slice(i, i + 1),
    ...other.slice(i, i + 1),
  ]).flat();

/** What a signal is, and the words of the user that it was found by. */
function wordsOf({ description, reasoning }: SignalMatch, say: Say): string {
  const said = [...reasoning.matchAll(/"([^"]+)"/g)].map(([, words]) => words).filter((words) => words !== 'percent');
  const found = [...new Set(said)].slice(0, SAID_MAX).map((words) => `"${words}"`);
  return found.length === 0 ? description : say('fitsWords', { description, words: found.join(', ') });
}

/** `ema_cross_up (window_fast 12, window_slow 50)` */
export function ruleWords({ name, params }: Pick<ProposedRule, 'name' | 'params'>, say = sayIn('en')): string {
  if (name === 'formula') return say('formula', { formula: String(params.when) });
  const values = Object.entries(params).map(
    ([key, value]) => `${key} ${typeof value === 'number' ? value : quote(value)}`,
  );
  return values.length === 0 ? name : `${name} (${values.join(', ')})`;
}
