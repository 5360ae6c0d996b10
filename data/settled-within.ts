import { setTimeout as delay } from 'node:timers/promises';

/**
 * Whether a promise settles, either way, within `ms`. It resolves as soon as that is known and
 * never throws.
 */
export async function isSettledWithin(ms: number, promise: Promise<unknown>): Promise<boolean> {
  const controller = new AbortController();
  const isSettled = promise.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([isSettled, delay(ms, false, { signal: controller.signal })]);
  } finally {
    controller.abort();
  }
}
