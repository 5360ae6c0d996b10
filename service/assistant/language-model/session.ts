import type { BuiltInParts } from '../built-in/built-in-mind.js';
import { isWish, merged } from '../built-in/change.js';
import { knownAssets, type ReadMessage, readMessage } from '../built-in/read-message.js';
import { type Collected, freshWorking, type Step, type Turn, type Working } from '../mind.js';
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
  /** The message, as the grammar reads it. */
  readonly said: ReadMessage;
  /** Runs that this turn has made. */
  runs: number;
  /** What these runs were, as they are said back. */
  readonly ran: string[];
}

export async function openSession(
  turn: Turn,
  tools: AssistantTools,
  { passages, clock, assetNames }: Pick<Session, 'passages' | 'clock'> & Pick<BuiltInParts, 'assetNames'>,
): Promise<Session> {
  const { history, message, mode } = turn;
  const assets = await tools.heldAssets();
  const before: Collected = { ...freshWorking.collected, ...turn.working.collected };
  const said = readMessage(message, before, knownAssets(assets, assetNames));
  const collected = isWish(said) ? merged(before, said.change) : before;
  const working = { ...turn.working, collected: { ...collected, language: said.language } };
  const evidence = new Evidence();
  evidence.addWorking(working);
  evidence.addValue(assets);
  let left = SAID_CHARACTERS_MAX;
  for (const { role, content } of [...history].reverse()) {
    if (role === 'user') left -= content.length;
    if (role === 'user' && left >= 0) evidence.addSaid(content);
  }
  evidence.addSaid(message);
  return { turn, tools, passages, clock, evidence, assets, said, working, mode, runs: 0, ran: [] };
}
