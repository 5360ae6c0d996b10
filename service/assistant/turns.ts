import { asApiError } from '../api-error.js';
import type { Caller } from '../caller.js';
import type { WallClock } from '../wall-clock.js';
import { whileHeld } from '../work/lease.js';
import { type pause, WorkLoop } from '../work/work-loop.js';
import type { ClaimedTurn, SqlConversationStore } from './store.js';
import { type ToolParts, toolsFor } from './tools.js';
import type { Responder, Step, Working } from './working.js';

interface TurnsParts {
  readonly store: SqlConversationStore;
  readonly responder: Responder;
  readonly tools: ToolParts;
  readonly clock: WallClock;
  /** Turns that this process answers at a time. */
  readonly atOnce: number;
  /** Name of this process among the processes that answer. */
  readonly runner: string;
  readonly sleep?: typeof pause;
  readonly onInternalError: (error: unknown) => void;
}

/** Another process takes a turn over after this time without a sign of life. */
const LEASE_MS = 30_000;
/** Clients wait 180 s for an answer. */
const DEADLINE_MS = 150_000;
/** A message that has ended its process this often is not tried again. */
const ATTEMPTS_MAX = 3;
/** Rest of a worker that found nothing to do; `wake` ends it. */
const REST_MS = 15_000;
/**
 * Answers the messages that wait in the store. A crash loses nothing: when the lease of a turn
 * ends, the next process answers the same message, and only one answer is ever added.
 */
export class Turns extends WorkLoop {
  constructor(private readonly parts: TurnsParts) {
    super({ ...parts, restMs: REST_MS });
  }

  /** Takes one message and answers it. @returns whether there was one */
  async takeNext(stopping: AbortSignal): Promise<boolean> {
    const { store, runner, clock, onInternalError } = this.parts;
    const claimed = await store.claim(runner, clock(), clock() + LEASE_MS);
    if (claimed === null) return false;
    const renew = (untilMs: number) => store.hold(claimed, untilMs);
    await whileHeld({ leaseMs: LEASE_MS, renew, clock, onInternalError }, async (lost) => {
      const signal = AbortSignal.any([stopping, lost, AbortSignal.timeout(DEADLINE_MS)]);
      const step = await this.#answer(claimed, signal);
      if (step !== null) await store.finish(claimed, { ...step, nowMs: clock() });
      else if (stopping.aborted) await store.release(claimed);
    });
    return true;
  }

  /** The answer; null where the turn must be tried again. A failure is an answer that says so. */
  async #answer(claimed: ClaimedTurn, signal: AbortSignal): Promise<Step | null> {
    const { store, responder, tools: parts, onInternalError } = this.parts;
    const { id, mode, working: stored, caller, attempts, message_count } = claimed.conversation;
    const working = stored as Working;
    const same = { mode, working };
    if (attempts > ATTEMPTS_MAX) {
      return {
        ...same,
        content: `I began to answer this ${ATTEMPTS_MAX} times and the server stopped each time. Your message is kept; please ask in another way.`,
      };
    }
    const said = await store.messages(id);
    const message = said.at(-1);
    if (message === undefined) return null; // the conversation was deleted
    const turn = { ...same, message: message.content, history: said.slice(0, -1), signal };
    const tools = toolsFor(caller as Caller, parts, `assistant ${id} ${message_count}`, signal);
    try {
      const step = await responder.answer(turn, tools);
      return { ...step, working: { ...step.working, tool_calls: added(step.working.tool_calls, tools.calls) } };
    } catch (error) {
      // Such an abort means that the server stops, or that another process has the turn.
      if (signal.aborted && !(signal.reason instanceof DOMException)) return null;
      const known = asApiError(error);
      if (known === null || known.code === 'INTERNAL_ERROR') onInternalError(error);
      const reason = signal.aborted ? 'it took too long' : (known?.message ?? 'an unexpected error occurred');
      return { ...same, content: `I could not answer this: ${reason}. Your message is kept; please try again.` };
    }
  }
}

function added(before: Readonly<Record<string, number>>, calls: Readonly<Record<string, number>>) {
  const sums: Record<string, number> = { ...before };
  for (const [tool, count] of Object.entries(calls)) sums[tool] = (sums[tool] ?? 0) + count;
  return sums;
}
