import type { PlannedRule, Role, SettingValue } from './candidate.js';
import type { Change, Style } from './change.js';

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
