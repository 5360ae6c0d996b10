/** Use of the threads of a pool. */
export interface ThreadUse {
  readonly threads: number;
  readonly busy: number;
  /** Tasks that wait for a thread. */
  readonly waiting: number;
}
