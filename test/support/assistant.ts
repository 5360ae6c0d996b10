import type { Step, Working } from '../../service/assistant/index.js';
import {
  type AssistantTools,
  BuiltInMind,
  freshWorking,
  type Passage,
  toolsFor,
} from '../../service/assistant/index.js';
import type { BacktestDeps } from '../../service/backtests/index.js';
import { bundledMarket, bundledStore, callerOf } from './backtests.js';

const assetNames = new Map([
  ['BTC', ['bitcoin']],
  ['ETH', ['ethereum']],
  ['SOL', ['solana']],
  ['DOGE', ['dogecoin']],
  ['LINK', ['chainlink']],
  ['UNI', ['uniswap']],
]);

/** A conversation with the built-in mind over the bundled bars. */
export interface Talk {
  readonly steps: readonly Step[];
  readonly tools: readonly AssistantTools[];
  readonly last: Step;
}

/** Sends messages one after the other, each in the state that the one before led to. */
export async function talk(
  messages: readonly string[],
  deps: BacktestDeps,
  { userId = 'user', passages = [] as readonly Passage[], scopes = [] as readonly string[] } = {},
): Promise<Talk> {
  const mind = new BuiltInMind({
    assetNames,
    passages: { find: async () => passages },
    clock: () => Date.UTC(2026, 0, 1),
  });
  const steps: Step[] = [];
  const tools: AssistantTools[] = [];
  let working: Working = freshWorking;
  let mode: Step['mode'] = 'collect_user_input';
  for (const [place, message] of messages.entries()) {
    const parts = { bars: bundledStore, market: bundledMarket, backtests: deps };
    const caller = { ...callerOf(userId), scopes };
    const own = toolsFor(caller, parts, `talk of ${userId} ${place}`, new AbortController().signal);
    const step = await mind.answer({ mode, working, message }, own);
    ({ mode, working } = step);
    steps.push(step);
    tools.push(own);
  }
  return { steps, tools, last: steps.at(-1) as Step };
}

/** An opening, and what a patient user says until the conversation is done. */
export const untilDone = (opening: string): readonly string[] => [
  opening,
  ...['You choose the rest.', 'Go on.', 'Yes.', 'ok', 'Go on.'],
];
