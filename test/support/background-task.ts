/** What a thread is told to do. */
export interface BackgroundTask {
  readonly end: 'answer' | 'throw' | 'exit';
  /** Waited for to become 1. */
  readonly gate?: Int32Array;
}

export default function perform({ end, gate }: BackgroundTask): string {
  if (gate !== undefined) Atomics.wait(gate, 0, 0);
  if (end === 'exit') process.exit(9);
  if (end === 'throw') throw new Error('as it was told');
  return 'done';
}
