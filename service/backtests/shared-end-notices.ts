import type { EndNotices } from './index.js';
import type { State } from '../state/index.js';

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
