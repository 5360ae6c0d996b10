import type { State } from '../state/tables.js';

/**
 * Carries the ends of awaited runs from the process that ran them to the process that waits. A
 * notice can be lost.
 */
export interface EndNotices {
  /** Never fails. */
  tell(id: string): Promise<void>;
  /**
   * Calls back with the ids of all runs that end, of any caller, until the returned function is
   * called. Never fails.
   */
  hear(onEnd: (id: string) => void): Promise<() => void>;
}

const CHANNEL = 'barline_ends';

/**
 * Notices between all processes on a state. A process starts to listen when it first waits for a
 * run.
 */
export function sharedEndNotices(state: State, onError: (error: unknown) => void): EndNotices {
  const hearers = new Set<(id: string) => void>();
  const onNotice = (id: string): void => {
    for (const hear of hearers) hear(id);
  };
  let listening: Promise<void> | null = null;
  const listen = async (): Promise<void> => {
    try {
      // A waiting call also polls now and then.
      await state.listen(CHANNEL, { onNotice, onDeaf() {}, onHearing() {} });
    } catch (error) {
      listening = null;
      onError(error);
    }
  };
  return {
    tell: (id) => state.notify(CHANNEL, id).catch(onError),
    async hear(onEnd) {
      listening ??= listen();
      await listening;
      hearers.add(onEnd);
      return () => {
        hearers.delete(onEnd);
      };
    },
  };
}
