import {
  type BacktestFigures,
  type Change,
  emptyPlan,
  type Plan,
  type PlannedRule,
  type StrategyConfig,
} from './plan/plan.js';
import type { Reading } from './reading/read.js';
import type { RunRecord } from './runs/record.js';
import type { ConversationMode } from './tables.js';
import type { AssistantTools } from './tools.js';

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
   * Place of the best candidate by Sharpe ratio: among candidates with enough trades for a
   * judgement where there are any, else among candidates that traded; null if none traded.
   */
  readonly best: number | null;
  /** What the runs are worth, in words, and the probability that luck does as well. */
  readonly verdict: string;
  readonly luck_p: number | null;
  /** The assets of one account; absent where it traded one. */
  readonly assets?: readonly string[];
  /** Growth of the asset itself over the window, or of the assets held evenly, a fraction. */
  readonly market_return: number;
  readonly window: { readonly start: string; readonly end: string };
  /** The plan that ran; absent in conversations that older versions stored. */
  readonly plan?: Plan;
  /** The runs before these; absent where there were none. */
  readonly before?: Omit<Tested, 'before'>;
}

/** What a conversation has made so far; stored with it. */
export interface Working {
  readonly collected: Plan;
  /** The plan before the last change, for "undo". */
  readonly previous?: Plan;
  /** Questions asked, by state. */
  readonly asked: Readonly<Partial<Record<ConversationMode, number>>>;
  readonly proposal: Proposal | null;
  readonly candidates: readonly StrategyConfig[];
  readonly tested: Tested | null;
  readonly tool_calls: Readonly<Record<string, number>>;
  /** Which reader read the last message; absent before the first. */
  readonly answered?: Answered;
  /** Absent while no language model was asked. */
  readonly model?: ModelUse;
}

interface Answered {
  readonly mind: 'built-in' | 'language-model';
  /** Why the small reader took the place of the model; null where it did not. */
  readonly instead_because: string | null;
}

/** What a language model has cost in a conversation. */
export interface ModelUse {
  readonly requests: number;
  readonly prompt_tokens: number;
  readonly answer_tokens: number;
  /** The part of `prompt_tokens` that the prompt file is, estimated. */
  readonly system_tokens: number;
}

/** That the small reader read a message, as it does without a model. */
export const BUILT_IN: Answered = { mind: 'built-in', instead_because: null };

/** What a message says, by one reader or by both. */
export interface ParsedMessage extends Reading {
  /** A question about the message itself, and the changes that it asks about; none of them acts. */
  readonly question: string | null;
  readonly offered: readonly Change[];
  /** Sentences about the runs that are true, in the words of the product. */
  readonly claims: readonly string[];
  readonly about: Partial<Pick<Plan, 'user_sentiment' | 'user_knowledge_level'>>;
  readonly answered: Answered;
  readonly use?: ModelUse;
}

export const freshWorking: Working = {
  ...{ collected: emptyPlan, asked: {}, proposal: null, candidates: [], tested: null, tool_calls: {} },
};

/** A message of a conversation. */
interface Said {
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
export interface Responder {
  answer(turn: Turn, tools: AssistantTools): Promise<Step>;
}
