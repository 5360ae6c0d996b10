import type { ConversationMode } from '../../data/state/index.js';
import type { Honesty } from '../../engine/index.js';
import type { Language } from './built-in/canonical.js';
import type { RunRecord } from './built-in/record.js';
import type { BacktestFigures, PlannedRule, Role, SettingValue, StrategyConfig } from './candidate.js';
import type { AssistantTools } from './tools.js';

/** What the assistant has learned from the messages of a conversation. */
export interface Collected {
  /** What the user wants to do, in the user's own words. */
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
  /** Share of the account that a trade may lose. */
  readonly max_risk_per_trade: number | null;
  readonly reward_factor: number | null;
  /** Whether the user left the open points to the assistant. */
  readonly leaves_choice: boolean;
  /** Settings of `execution_config` that the user named, beside the risk. */
  readonly settings: Readonly<Record<string, SettingValue>>;
  /** Which sides of the market it trades. */
  readonly sides: Sides;
  /** How the stop follows the price; null where it stays. */
  readonly trail: Trail | null;
  /** Rules that the user named, exactly; empty where the assistant proposes them. */
  readonly entry: readonly PlannedRule[];
  readonly exit: readonly PlannedRule[];
  /** The same for short positions. */
  readonly short_entry: readonly PlannedRule[];
  readonly short_exit: readonly PlannedRule[];
  /** Candidates that the user asked for. */
  readonly count: number | null;
  /** First parts of the names of signals that the user does not want. */
  readonly excluded: readonly string[];
  /** What else a refused message said; the next message may take it up. */
  readonly pending: Change | null;
  /** What the last message named or was offered a share of. */
  readonly share_of: ShareName | null;
  /** What the last message named a number of. */
  readonly number_of: NumberName | null;
  /** Rules to buy that the user took away last, which may come back. */
  readonly removed: readonly PlannedRule[];
  /** Language of the last message that showed one. */
  readonly language: Language;
}

/** What a message changes of what is known; a key that is absent changes nothing. */
export interface Change {
  readonly asset?: string;
  /** Assets that share one account; empty for one asset. */
  readonly portfolio?: readonly string[];
  readonly timeframe?: string;
  readonly style?: Style;
  /** Days of the window; null ends it with the bars. */
  readonly dates?: Partial<Pick<Collected, 'start_date' | 'end_date' | 'lookback_months'>>;
  readonly max_risk_per_trade?: number;
  readonly reward_factor?: number;
  /** Other settings of `execution_config`. */
  readonly settings?: Readonly<Record<string, SettingValue>>;
  readonly sides?: Sides;
  readonly trail?: Trail | null;
  readonly entry?: readonly PlannedRule[];
  readonly exit?: readonly PlannedRule[];
  readonly short_entry?: readonly PlannedRule[];
  readonly short_exit?: readonly PlannedRule[];
  /** Set where `entry` is a filter that joins the rules that are known. */
  readonly adds?: true;
  /** Set where the rule to buy that was said last is taken away. */
  readonly drops_last?: true;
  /** Set where the rules that were taken away last come back. */
  readonly restores?: true;
  /** Values for the rules that are known, such as `multiplier 4`; at least one. */
  readonly parameters?: readonly ParameterChange[];
  /** Both periods of the crosses of averages that are known. */
  readonly windows?: {
    readonly fast: number;
    readonly slow: number;
    /** Period of a signal line. */
    readonly sign?: number;
    readonly role?: Role;
  };
  /** Another kind of moving average for the rules that are known. */
  readonly averages?: { readonly from: string; readonly to: string };
  readonly count?: number;
  /** First parts of the names of signals that are not wanted. */
  readonly excluded?: readonly string[];
  readonly leaves_choice?: true;
}

/** A value of one parameter, and of which rules: by default of those whose value is the nearest. */
export interface ParameterChange {
  readonly name: ParameterName;
  readonly value: number;
  readonly role?: Role;
  /** Side of the threshold on which the rule is true. */
  readonly side?: 'up' | 'down';
  /** First part of the names of the signals of an indicator, such as `rsi`. */
  readonly of?: string;
  /** The value before, where the user named it. */
  readonly was?: number;
}

/** A parameter by the word that people have for it, or any number of a rule that has the value before. */
export type ParameterName = 'multiplier' | 'period' | 'threshold' | 'fast' | 'slow' | 'signal' | 'number';

/** What a number alone, such as "no, 80", is of. */
export type NumberName =
  | Role
  | ('initial_balance' | 'reward_factor' | 'max_hold_bars' | 'atr_volatility_factor' | 'leverage' | 'count');

export type Sides = 'long' | 'short' | 'both';

/** A stop that follows the price. Shares are of the entry price. */
export interface Trail {
  /** Distance; null where it is that of the stop. */
  readonly share: number | null;
  /** Gain from which on it follows; null where it does from the entry on. */
  readonly start: number | null;
}

/** What a share alone, such as "no, 1 %", is of. */
export type ShareName = 'max_risk_per_trade' | 'fixed_stop_pct' | 'fee_pct' | 'slippage_pct' | 'trail';

export type Style = 'trend' | 'mean_reversion' | 'breakout' | 'momentum' | 'flows';

export interface ProposedRule extends PlannedRule {
  readonly reason: string;
}

/** Signals from which candidates are made. */
export interface Proposal {
  readonly triggers: readonly ProposedRule[];
  readonly filters: readonly ProposedRule[];
}

export interface TestedCandidate {
  readonly config: StrategyConfig;
  readonly figures: BacktestFigures;
  /** Absent in conversations that older versions stored. */
  readonly record?: RunRecord;
}

/** Candidates with the figures of their runs. */
export interface Tested {
  readonly candidates: readonly TestedCandidate[];
  /**
   * Place of the best candidate by Sharpe ratio: among those with enough trades for a judgement
   * where there are any, else among those that traded; null if none traded.
   */
  readonly best: number | null;
  /** What the runs are worth, in words, and the probability that luck does as well. */
  readonly verdict: string;
  /** What the verdict says, as facts; null if none traded, absent where an older version stored it. */
  readonly belief?: Belief | null;
  readonly luck_p: number | null;
  /** The assets of one account; absent where it traded one. */
  readonly assets?: readonly string[];
  /** Growth of the asset itself over the window, or of the assets held evenly, a fraction. */
  readonly market_return: number;
  readonly window: { readonly start: string; readonly end: string };
  /** The runs that these were compared with, and what was known of them; absent where there were none. */
  readonly before?: { readonly tested: Tested; readonly collected: Collected };
}

/** What the best of a few runs is worth. Shares are fractions, probabilities 0 to 1. */
export interface Belief {
  readonly asset: string;
  readonly timeframe: string;
  /** Number of the leader among the candidates, from 1, and what it has. */
  readonly place: number;
  readonly trades: number;
  readonly sharpe: number | null;
  readonly leader_return: number;
  readonly exhausted_on: string | null;
  /** Candidates that traded, that have at least `least` trades, and that made money. */
  readonly tries: number;
  readonly eligible: number;
  readonly least: number;
  readonly profitable: number;
  readonly best_return: number;
  /** The first test that the leader fails; null where it passes. */
  readonly fails: Honesty['fails'];
  readonly luck_p: number | null;
  readonly market_p: number | null;
  readonly timing_p: number | null;
}

/** What a conversation has made so far; stored with it. */
export interface Working {
  readonly collected: Collected;
  /** Questions asked, by state. */
  readonly asked: Readonly<Partial<Record<ConversationMode, number>>>;
  readonly proposal: Proposal | null;
  readonly candidates: readonly StrategyConfig[];
  readonly tested: Tested | null;
  readonly tool_calls: Readonly<Record<string, number>>;
  /** Which mind gave the last answer; absent before the first. */
  readonly answered?: Answered;
  /** Absent while no language model was asked. */
  readonly model?: ModelUse;
}

interface Answered {
  readonly mind: 'built-in' | 'language-model';
  /** Why the built-in mind took the place of the model; null where it did not. */
  readonly instead_because: string | null;
}

/** What a language model has done in a conversation. */
export interface ModelUse {
  readonly requests: number;
  readonly prompt_tokens: number;
  readonly answer_tokens: number;
  /** The part of `prompt_tokens` that the prompt files are, estimated. */
  readonly system_tokens: number;
  /** Runs that tools returned, newest last. */
  readonly runs: readonly KnownRun[];
  /** Figures that tools returned and that belong to no run, newest last. */
  readonly figures: readonly Figure[];
}

/** A run of which an answer may speak. */
export interface KnownRun {
  readonly id: string;
  /** Number among the candidates of the conversation, from 1; null for other runs. */
  readonly candidate: number | null;
  /** Names of its signals and values of their parameters; empty where they are not known. */
  readonly signals: readonly string[];
  readonly values: readonly number[];
  readonly figures: readonly Figure[];
}

/** A number that tools returned as a result. */
export interface Figure {
  /** `total_return`, `sharpe_ratio` and so on. */
  readonly metric: string;
  readonly value: number;
}

export const freshWorking: Working = {
  collected: {
    user_intention: null,
    user_sentiment: null,
    user_knowledge_level: null,
    asset: null,
    portfolio: [],
    timeframe: null,
    style: null,
    start_date: null,
    end_date: null,
    lookback_months: null,
    max_risk_per_trade: null,
    reward_factor: null,
    leaves_choice: false,
    settings: {},
    sides: 'long',
    trail: null,
    entry: [],
    exit: [],
    short_entry: [],
    short_exit: [],
    count: null,
    excluded: [],
    pending: null,
    share_of: null,
    number_of: null,
    removed: [],
    language: 'en',
  },
  asked: {},
  proposal: null,
  candidates: [],
  tested: null,
  tool_calls: {},
};

/** A message of a conversation. */
export interface Said {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** A user's message and the state in which it arrives. */
export interface Turn {
  readonly mode: ConversationMode;
  readonly working: Working;
  readonly message: string;
  /** What was said before, oldest first. */
  readonly history: readonly Said[];
  /** Aborted when the time for an answer is over, or when the server stops. */
  readonly signal: AbortSignal;
}

/** The answer, and the state after it. */
export interface Step {
  readonly content: string;
  readonly mode: ConversationMode;
  readonly working: Working;
}

/** What answers. It moves a conversation by at most one state a message. */
export interface Mind {
  answer(turn: Turn, tools: AssistantTools): Promise<Step>;
}
