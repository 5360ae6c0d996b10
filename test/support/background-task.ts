/** The instructions for a thread. */
export interface BackgroundTask {
  readonly end: 'answer' | 'throw' | 'exit';
  /** The thread waits until this becomes 1. */
  readonly gate?: Int32Array;
}

export default function perform({ end, gate }: BackgroundTask): string {
  if (gate !== undefined) Atomics.wait(gate, 0, 0);
  if (end === 'exit') process.exit(9);
  if (end === 'throw') throw new Error('as it was told');
  return 'done';
}
