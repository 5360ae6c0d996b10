import type { Step, Turn, Working } from '../mind.js';
import type { Passages } from '../retrieval.js';
import type { AssistantTools } from '../tools.js';
import { Evidence } from './evidence.js';

/** Characters of the user's newest messages whose numbers count as the user's words. */
const SAID_CHARACTERS_MAX = 200_000;

/** One turn of a conversation while a model answers it. */
export interface Session {
  readonly turn: Turn;
  /** Of the caller; what a model asks for goes through these and nothing else. */
  readonly tools: AssistantTools;
  readonly passages: Passages;
  readonly evidence: Evidence;
  /** Assets that have bars. */
  readonly assets: readonly string[];
  /** Epoch ms, for the names of candidates. */
  readonly clock: () => number;
  /** What the tools have made of the conversation so far. */
  working: Working;
  /** Where they have led it, at most one state on. */
  mode: Step['mode'];
  /** Runs that this turn has made. */
  runs: number;
}

export async function openSession(
  turn: Turn,
  tools: AssistantTools,
  { passages, clock }: Pick<Session, 'passages' | 'clock'>,
): Promise<Session> {
  const { working, history, message, mode } = turn;
  const assets = await tools.heldAssets();
  const evidence = new Evidence();
  evidence.addWorking(working);
  evidence.addValue(assets);
  let left = SAID_CHARACTERS_MAX;
  for (const { role, content } of [...history].reverse()) {
    if (role === 'user') left -= content.length;
    if (role === 'user' && left >= 0) evidence.addSaid(content);
  }
  evidence.addSaid(message);
  return { turn, tools, passages, clock, evidence, assets, working, mode, runs: 0 };
}
