/**
 * Tells of awaited runs that have ended, from whichever process ended them to whichever waits. A
 * notice can be lost.
 */
export interface EndNotices {
  /** Never fails. */
  tell(id: string): Promise<void>;
  /** Calls back with the ids of runs, anybody's, until the answer is called. Never fails. */
  hear(onEnd: (id: string) => void): Promise<() => void>;
}
