import { type ComputeOutcome, type ComputeTask, type Computing, computeTask } from '../rpc/index.js';
import { ApiError } from '../service/api-error.js';
import { openFairThreads, ThreadFailure } from '../workers/index.js';

interface ComposedComputing {
  readonly computing: Computing;
  close(): Promise<void>;
}

const BUSY_SECONDS = 1;

/** Threads for requests that anyone may send, or that cost their caller nothing. */
export function openComputing(): ComposedComputing {
  const threads = openFairThreads<ComputeTask, ComputeOutcome>({ task: computeTask });
  return {
    async computing(task, party, signal) {
      try {
        return await threads.run(task, party, signal);
      } catch (error) {
        throw error instanceof ThreadFailure ? refusal(error) : error;
      }
    },
    close: () => threads.close(),
  };
}

function refusal({ fault, message }: ThreadFailure): ApiError {
  switch (fault) {
    case 'full':
    case 'closed':
      return new ApiError('ENGINE_BUSY', `too much is computed at the moment: ${message}`, {
        retry_after: BUSY_SECONDS,
      });
    case 'deadline':
    case 'died':
      return new ApiError('VALIDATION_ERROR', `the request takes too much time or memory (${message}): send less data`);
  }
}
