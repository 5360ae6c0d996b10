import { ThreadFailure } from '../../workers/index.js';
import { ApiError } from '../api-error.js';

const RETRY_SECONDS = 5;

/**
 * Awaits the answer of a thread that other calls wait for too.
 * @throws ENGINE_BUSY with `retry_after` if too many calls wait or the service is stopping
 */
export async function orBusy<T>(what: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ThreadFailure) || (error.fault !== 'full' && error.fault !== 'closed')) throw error;
    const message = `no ${what} can start now: ${error.message}`;
    throw new ApiError('ENGINE_BUSY', message, { retry_after: RETRY_SECONDS });
  }
}
