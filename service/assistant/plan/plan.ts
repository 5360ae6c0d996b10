import { z } from 'zod';
import { executionFields } from '../../../engine/execution/index.js';
import { apiTimeframes } from '../../../engine/series/index.js';

/** A rule as a definition has it. */
export interface PlannedRule {
  readonly name: string;
  readonly signal_type: 'TRIGGER' | 'FILTER';
  readonly timeframe: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A definition, as `save_strategy` takes it. */
export interface StrategyConfig {
  readonly name: string;
  readonly asset: string;
  readonly entry: readonly PlannedRule[];
  readonly exit: readonly PlannedRule[];
  /** Rules that sell short, and that buy back; absent where positions are long. */
  readonly short_entry?: readonly PlannedRule[];
  readonly short_exit?: readonly PlannedRule[];
  readonly reward_factor: number;
  readonly execution_config: Readonly<Record<string, SettingValue>>;
}

/** A value of `execution_config`; the pairs make a schedule of targets. */
export type SettingValue = number | string | boolean | readonly (readonly [number, number])[];

/** The lists of rules of a definition. */
export const roles = ['entry', 'exit', 'short_entry', 'short_exit'] as const;
export type Role = (typeof roles)[number];

/** Figures of a run; fractions, as the API shows them. */
export interface BacktestFigures {
  readonly backtest_id: string;
  readonly total_return: number;
  readonly sharpe_ratio: number | null;
  readonly max_drawdown: number;
  readonly win_rate: number | null;
  readonly trade_count: number;
  readonly start_date: string;
  readonly end_date: string;
}

/**
 * The strategy and data that the user wants to test, as far as known; the `collected_info` of a
 * conversation.
 */
export interface Plan extends Readonly<Record<Role, readonly PlannedRule[]>> {
  /** What the user wants to do, in the words of the first message that said it. */
  readonly user_intention: string | null;
  readonly user_sentiment: 'bullish' | 'bearish' | 'neutral' | null;
  readonly user_knowledge_level: 'beginner' | 'intermediate' | 'expert' | null;
  readonly asset: string | null;
  /** Assets of one account that is split equally over them; empty where it trades one. */
  readonly portfolio: readonly string[];
  /** `5m`, `15m`, `30m`, `1h`, `4h` or `1d`. */
  readonly timeframe: string | null;
  readonly style: Style | null;
  readonly start_date: string | null;
  readonly end_date: string | null;
  readonly lookback_months: number | null;
  /** Settings of `execution_config` that the user named. */
  readonly settings: Readonly<Record<string, SettingValue>>;
  /** A stop that follows the best price, as shares of the entry price. */
  readonly trail: Change['trail'];
  /** Candidates that the user asked for. */
  readonly count: number | null;
  /** Whether the user left the open points to the assistant. */
  readonly leaves_choice: boolean;
  /** Clauses that were not understood; nothing runs until they are dropped or said otherwise. */
  readonly unread: readonly string[];
  /** What stood in the same sentences, and acts with "drop it" or with the next change. */
  readonly rest: Change | null;
  /** Changes that the last answer asked about: whether one, or which of them, is meant. */
  readonly offered: readonly Change[];
}

export const emptyPlan: Plan = {
  ...{ user_intention: null, user_sentiment: null, user_knowledge_level: null },
  ...{ asset: null, portfolio: [], timeframe: null, style: null },
  ...{ start_date: null, end_date: null, lookback_months: null },
  ...{ settings: {}, trail: null, entry: [], exit: [], short_entry: [], short_exit: [] },
  ...{ count: null, leaves_choice: false, unread: [], rest: null, offered: [] },
};

/** The plan of a stored conversation; older versions kept risk and target beside the settings. */
export function readPlan(stored: object): Plan {
  const known = stored as Partial<Plan> & Readonly<Record<'max_risk_per_trade' | 'reward_factor', number | null>>;
  const own = Object.keys(emptyPlan).flatMap((key) => {
    const value = known[key as keyof Plan];
    return value === undefined ? [] : [[key, value] as const];
  });
  const older = (['max_risk_per_trade', 'reward_factor'] as const).flatMap((name) =>
    typeof known[name] === 'number' ? [[name, known[name]] as const] : [],
  );
  const plan: Plan = { ...emptyPlan, ...Object.fromEntries(own) };
  return { ...plan, settings: { ...Object.fromEntries(older), ...plan.settings } };
}

/** Whether the user named rules that open positions. */
export const isNamed = ({ entry, short_entry }: Pick<Plan, 'entry' | 'short_entry'>): boolean =>
  entry.length + short_entry.length > 0;

/** The assets that a plan trades. */
export const planAssets = ({ asset, portfolio }: Pick<Plan, 'asset' | 'portfolio'>): readonly string[] =>
  portfolio.length > 0 ? portfolio : asset === null ? [] : [asset];

/** Whether two plans would run the same. */
export function runsAlike(one: Plan, other: Plan): boolean {
  const tested = ({
    user_intention,
    user_sentiment,
    user_knowledge_level,
    leaves_choice,
    unread,
    rest,
    offered,
    ...plan
  }: Plan) => JSON.stringify(plan);
  return tested(one) === tested(other);
}

/** The settings of a run that a message may name: numbers, switches and choices, and the falling target. */
export const settingNames = Object.entries(executionFields)
  .filter(([, { kind }]) => kind !== 'object')
  .map(([name]) => name) as [string, ...string[]];

export const styles = ['trend', 'mean_reversion', 'breakout', 'momentum', 'flows'] as const;
export type Style = (typeof styles)[number];

/** Most candidates of a conversation. */
export const CANDIDATES_MAX = 8;

const text = z.string().min(1).max(2_000);
const value = z.union([z.number(), z.boolean(), z.string(), z.array(z.tuple([z.number(), z.number()]))]);

const rule = z.strictObject({
  signal: text.describe('name of a signal of the catalogue, or "formula"'),
  params: z
    .array(z.strictObject({ name: text, value: z.union([z.number(), z.boolean(), z.string()]) }))
    .describe('its parameters; {"name": "when", "value": "rsi(close, 14) < 30"} for a formula'),
});
export type SaidRule = z.infer<typeof rule>;

const role = z.enum(roles).describe('entry buys, exit sells, short_entry sells short, short_exit buys back');

const ruleEdit = z.discriminatedUnion('edit', [
  z.strictObject({
    edit: z.literal('set').describe('all rules of this list, which must hold together'),
    role,
    rules: z.array(rule),
  }),
  z.strictObject({ edit: z.literal('add').describe('one more condition of this list'), role, rules: z.array(rule) }),
  z.strictObject({ edit: z.literal('remove'), name: text.describe('signal or indicator, such as adx') }),
  z.strictObject({
    edit: z.literal('number'),
    name: text.nullable().describe('signal or indicator whose number it is; null where only one rule has it'),
    param: text.describe('window, threshold, multiplier or another parameter'),
    value: z.number(),
  }),
]);
export type RuleEdit = z.infer<typeof ruleEdit>;

const day = z.string().regex(/^(\d{4}-\d\d-\d\d|none)$/);

/**
 * What one message does to the plan of a conversation, as data. Both readers make it, and one
 * function applies it. Null changes nothing.
 */
export const changeSchema = z.strictObject({
  assets: z.array(text).max(50).nullable().describe('tickers; several share one account in equal parts'),
  interval: z.enum(apiTimeframes).nullable(),
  start: day.nullable().describe('first day, or "none" for the first bar'),
  end: day.nullable().describe('last day, or "none" for the last bar'),
  last_months: z.int().min(1).max(600).nullable().describe('the window ends with the bars'),
  style: z.enum(styles).nullable().describe('where the person names no rules'),
  candidates: z.int().min(1).max(CANDIDATES_MAX).nullable(),
  leaves_choice: z.boolean().nullable().describe('true where the person leaves open points to the assistant'),
  settings: z.array(z.strictObject({ name: z.enum(settingNames), value })),
  trail: z
    .strictObject({ share: z.number(), from: z.number().nullable() })
    .nullable()
    .describe('a stop that follows the best price at this share of the entry price, from a gain of another share on'),
  rules: z.array(ruleEdit),
});
export type Change = z.infer<typeof changeSchema>;

export const noChange: Change = {
  ...{ assets: null, interval: null, start: null, end: null, last_months: null, style: null },
  ...{ candidates: null, leaves_choice: null, settings: [], trail: null, rules: [] },
};

/** A change of these parts alone. */
export const makeChange = (parts: Partial<Change>): Change => ({ ...noChange, ...parts });

/** What a change sets, by a name for each place of the plan: `asset`, `setting fee_pct`, `rules of entry`. */
export function changedPlaces(change: Change): ReadonlyMap<string, unknown> {
  const { settings, rules, ...plain } = change;
  const said = Object.entries(plain).filter(([, value]) => value !== null);
  return new Map<string, unknown>([
    ...said,
    ...settings.map(({ name, value }) => [`setting ${name}`, value] as const),
    ...rules.map((edit) => [placeOfEdit(edit), edit] as const),
  ]);
}

function placeOfEdit(edit: RuleEdit): string {
  switch (edit.edit) {
    case 'set':
      return `rules of ${edit.role}`;
    case 'add':
      return `one more rule of ${edit.role}: ${JSON.stringify(edit.rules)}`;
    case 'remove':
      return `removal of ${edit.name}`;
    default:
      return `${edit.param} of ${edit.name ?? 'the rules'}`;
  }
}

export const isNothing = (change: Change): boolean => changedPlaces(change).size === 0;

/** Two changes as one, the later one last. @returns the first place that both set otherwise, or the change */
export function joined(first: Change, second: Change): Change | { readonly twice: string } {
  const [before, after] = [changedPlaces(first), changedPlaces(second)];
  for (const [place, value] of after) {
    if (before.has(place) && JSON.stringify(before.get(place)) !== JSON.stringify(value)) return { twice: place };
  }
  return mergeChanges(first, second);
}

/** Two changes as one; the second wins. */
export function mergeChanges(first: Change, second: Change): Change {
  const said = Object.fromEntries(Object.entries(second).filter(([, value]) => value !== null));
  const isSet = new Set(second.settings.map(({ name }) => name));
  const replaced = new Set(second.rules.flatMap((edit) => (edit.edit === 'set' ? [edit.role] : [])));
  const kept = first.rules.filter((edit) => !('role' in edit && replaced.has(edit.role)));
  return {
    ...first,
    ...said,
    settings: [...first.settings.filter(({ name }) => !isSet.has(name)), ...second.settings],
    rules: [...kept, ...second.rules.filter((edit) => !kept.some((own) => same(own, edit)))],
  };
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
