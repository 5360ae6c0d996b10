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
