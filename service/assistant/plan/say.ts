import { executionFields } from '../../../engine/execution/index.js';
import { isNamed, type Plan, type PlannedRule, planAssets, type Role, type SettingValue } from './plan.js';

/** A share as it was written: `0.05 %` */
const shareWords = (value: number): string => `${Number((100 * value).toPrecision(6))} %`;

/** `rsi_cross_up(window 14, threshold 40)`, and a formula as it stands. */
export function ruleWords({ name, params }: Pick<PlannedRule, 'name' | 'params'>): string {
  if (name === 'formula') return formulaWords(params);
  const values = Object.entries(params).map(([key, value]) => `${key} ${String(value)}`);
  return values.length === 0 ? name : `${name}(${values.join(', ')})`;
}

/** A formula with its parameters written into it; between backticks where it is more than one comparison. */
function formulaWords({ when, ...params }: PlannedRule['params']): string {
  const text = Object.entries(params).reduce(
    (words, [name, value]) => words.replace(new RegExp(`\\b${name}\\b`, 'g'), String(value)),
    String(when),
  );
  return /\b(?:and|or|not|recently|barssince|valuewhen|percentrank)\b|[!=]=/.test(text) ? `\`${text}\`` : text;
}

const verbs: Readonly<Record<Role, string>> = {
  entry: 'buy when',
  exit: 'sell when',
  short_entry: 'short when',
  short_exit: 'cover when',
};

const styleWords: Readonly<Record<NonNullable<Plan['style']>, string>> = {
  trend: 'follow the trend',
  mean_reversion: 'buy dips',
  breakout: 'trade breakouts',
  momentum: 'trade momentum',
  flows: 'trade flows',
};

/** The plan in the form that the reader of messages takes: said back, it changes nothing. */
export function planWords(plan: Plan): string {
  const { timeframe, style, start_date: start, end_date: end, lookback_months: months, count, trail } = plan;
  const assets = planAssets(plan);
  const place = [listed(assets), timeframe ?? ''].filter((part) => part !== '').join(' ');
  return [
    ...(place === '' ? [] : [place]),
    ...(style === null || isNamed(plan) ? [] : [styleWords[style]]),
    ...Object.entries(verbs).flatMap(([role, verb]) => {
      const rules = plan[role as Role];
      return rules.length === 0 ? [] : [`${verb} ${rules.map(ruleWords).join(' and ')}`];
    }),
    ...settingsWords(trail === null ? plan.settings : withoutStop(plan.settings)),
    ...(trail === null
      ? []
      : [
          `trailing stop ${shareWords(trail.share)}${trail.from === null ? '' : ` from a gain of ${shareWords(trail.from)}`}`,
        ]),
    ...(start !== null && end !== null
      ? [`from ${start} to ${end}`]
      : start !== null
        ? [`since ${start}`]
        : end !== null
          ? [`until ${end}`]
          : []),
    ...(months === null ? [] : [`the last ${months} months`]),
    ...(count === null ? [] : [`${count} ${count === 1 ? 'candidate' : 'candidates'}`]),
  ].join(', ');
}

/** `BTC, ETH and SOL` */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

type Settings = Readonly<Record<string, SettingValue>>;

/** Settings that have words of their own; each takes the settings that it speaks for. */
const spoken: readonly {
  readonly names: readonly string[];
  readonly words: (settings: Settings) => string | null;
}[] = [
  {
    names: ['stop_order', 'stop_loss_calculation', 'fixed_stop_pct', 'atr_volatility_factor'],
    words: ({ stop_order: has, stop_loss_calculation: way, fixed_stop_pct: share, atr_volatility_factor: factor }) =>
      has === false
        ? 'no stop'
        : way === 'fixed'
          ? `stop ${shareWords(Number(share ?? defaultSetting('fixed_stop_pct')))}`
          : `stop ${String(factor ?? defaultSetting('atr_volatility_factor'))} ATR`,
  },
  {
    names: ['target_calculation', 'fixed_target_pct', 'reward_factor'],
    words: ({ target_calculation: way, fixed_target_pct: share, reward_factor: factor }) =>
      way === 'none'
        ? 'no target'
        : way === 'fixed'
          ? `target ${shareWords(Number(share))}`
          : way === 'schedule'
            ? null
            : `target ${String(factor ?? defaultSetting('reward_factor'))} R`,
  },
  { names: ['max_risk_per_trade'], words: ({ max_risk_per_trade: share }) => `risk ${shareWords(Number(share))}` },
  {
    names: ['position_sizing', 'trade_share'],
    words: ({ position_sizing: way, trade_share: share }) =>
      way === 'equity_share' ? `size ${shareWords(Number(share ?? defaultSetting('trade_share')))}` : null,
  },
  { names: ['fee_pct'], words: ({ fee_pct: share }) => `fee ${shareWords(Number(share))}` },
  { names: ['slippage_pct'], words: ({ slippage_pct: share }) => `slippage ${shareWords(Number(share))}` },
  { names: ['initial_balance'], words: ({ initial_balance: amount }) => `account ${String(amount)}` },
  { names: ['leverage'], words: ({ leverage }) => `leverage ${String(leverage)}` },
];

/** Settings beside a trailing stop, whose words say the usual stop. */
const withoutStop = ({ stop_order: _, ...settings }: Settings): Settings => settings;

const defaultSetting = (name: keyof typeof executionFields): SettingValue =>
  executionFields[name].default as SettingValue;

function settingsWords(settings: Settings): string[] {
  const own = spoken.flatMap(({ names, words }) =>
    names.some((name) => name in settings) ? (words(settings) ?? []) : [],
  );
  const known = new Set(spoken.flatMap(({ names, words }) => (words(settings) === null ? [] : names)));
  const others = Object.entries(settings).filter(([name]) => !known.has(name));
  return [
    ...own,
    ...others.map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`),
  ];
}

/** What acts though nobody named it: levels, sizes and costs, in the same form. */
export function defaultWords(plan: Plan): string {
  const settings: Settings = Object.fromEntries(
    ['max_risk_per_trade', 'fee_pct', 'slippage_pct', 'initial_balance'].map((name) => [
      name,
      defaultSetting(name as keyof typeof executionFields),
    ]),
  );
  const isSized = (plan.settings.position_sizing ?? 'risk') === 'risk';
  const isOpen = plan.start_date === null && plan.lookback_months === null;
  const levels = spoken
    .filter(({ names }) => !names.some((name) => name in plan.settings) && names[0] !== 'leverage')
    .filter(({ names }) => isSized || names[0] !== 'max_risk_per_trade')
    .filter(({ names }) => plan.trail === null || names[0] !== 'stop_order')
    .flatMap(({ words }) => words(settings) ?? []);
  return [...levels, ...(isOpen ? [`the last ${defaultMonths(plan.timeframe)} months`] : [])].join(', ');
}

const MONTHS = 36;
const SHORT_BARS_MONTHS = 12;

/** Months that a run covers without a window. */
export const defaultMonths = (timeframe: string | null): number =>
  timeframe?.endsWith('m') ? SHORT_BARS_MONTHS : MONTHS;
