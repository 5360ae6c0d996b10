import runJob from '../../workers/backtest-task.js';

/**
 * How a thread ends instead of answering, and how often. The definition of the strategy carries it.
 */
export interface Deadly {
  readonly way: 'exit' | 'memory' | 'forever' | 'throw';
  /** Deaths left. */
  readonly left: Int32Array;
  /** Set, and announced, when the job has begun. */
  readonly begun: Int32Array;
}

type Job = Parameters<typeof runJob>[0];

export default function deadlyJob(job: Job): ReturnType<typeof runJob> {
  const { deadly } = job.work.strategy as Job['work']['strategy'] & { readonly deadly?: Deadly };
  if (deadly === undefined || Atomics.sub(deadly.left, 0, 1) <= 0) return runJob(job);
  Atomics.store(job.begun, 0, 1);
  Atomics.store(deadly.begun, 0, 1);
  Atomics.notify(deadly.begun, 0);
  switch (deadly.way) {
    case 'exit':
      process.exit(9);
      break;
    case 'throw':
      throw new Error('a fault outside of the job');
    case 'memory': {
      const hoard: object[] = [];
      for (;;) hoard.push(new Array(100_000).fill({ ...job }));
    }
    case 'forever':
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }
  return runJob(job);
}
