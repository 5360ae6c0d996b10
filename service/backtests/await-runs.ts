import { setTimeout as delay } from 'node:timers/promises';
import { apart, refuseInTransaction } from '../../data/state/index.js';
import type { BacktestDeps } from './execute.js';
import type { AwaitedEnd, BacktestPlan } from './stored.js';

interface AwaitOptions {
  /** When runs that have not begun are withdrawn, by the monotonic clock. */
  readonly deadlineAt: number;
  readonly signal?: AbortSignal | undefined;
  /** How often, in ms, the store is asked for ends whose notices were lost. */
  readonly lookMs?: number | undefined;
}

const LOOK_MS = 1_000;

/**
 * Queues runs, unless they are known, and waits until each has ended. At the deadline, runs that
 * have not begun are withdrawn and have no end in the answer; runs that have begun are waited for.
 * In the end it deletes failed ones, as part of the unit of work of the caller. If the wait fails,
 * runs that have not begun are withdrawn; the others end and are kept like submitted runs. If this
 * process dies, all are kept.
 * @throws the reason of the signal
 */
export async function awaitRuns(
  plans: readonly BacktestPlan[],
  { store, endNotices, onQueued, nowMs, onInternalError }: BacktestDeps,
  { deadlineAt, signal, lookMs = LOOK_MS }: AwaitOptions,
): Promise<ReadonlyMap<string, AwaitedEnd>> {
  refuseInTransaction('a wait for runs');
  const pending = new Set(plans.map(({ id }) => id));
  const told = new Set<string>();
  const ends = new Map<string, AwaitedEnd>();
  let bell = new AbortController();
  const wake = () => bell.abort();
  const areAllTold = () => [...pending].every((id) => told.has(id));
  const stopHearing = await endNotices.hear((id) => {
    if (!pending.has(id)) return;
    told.add(id);
    if (areAllTold()) wake();
  });
  const withdraw = async () => {
    for (const id of await apart(() => store.withdraw([...pending], nowMs()))) pending.delete(id);
  };
  signal?.addEventListener('abort', wake);
  try {
    signal?.throwIfAborted();
    await apart(async () => {
      await store.addQueued(...plans);
      onQueued(plans.length);
    });
    while (pending.size > 0) {
      bell = new AbortController();
      signal?.throwIfAborted();
      for (const end of await store.readEnds([...pending])) {
        ends.set(end.id, end);
        pending.delete(end.id);
      }
      const leftMs = deadlineAt - performance.now();
      if (leftMs <= 0 && pending.size > 0) await withdraw();
      const restMs = leftMs > 0 ? Math.min(leftMs, lookMs) : lookMs;
      if (!areAllTold()) await delay(restMs, null, { signal: bell.signal }).catch(() => {});
    }
    await store.deleteFailed(plans.map(({ id }) => id));
    return ends;
  } catch (error) {
    await withdraw().catch(onInternalError);
    throw error;
  } finally {
    stopHearing();
    signal?.removeEventListener('abort', wake);
  }
}
