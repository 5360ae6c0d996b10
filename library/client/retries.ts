/** How often a call is sent again by default. */
const RETRIES = 5;

export interface RetryOptions {
  /**
   * How often a call without an answer, or with one that says when to try again, is sent again.
   * Default 5; 0 never.
   */
  readonly retries?: number;
}

type Ended<T> = { readonly answer: T } | { readonly error: unknown };

const WAIT_MS_FIRST = 250;
const WAIT_MS_MAX = 8_000;
/** A client does not sleep through a longer wait; it returns what it got. */
const ASKED_MS_MAX = 60_000;

/**
 * Sends a call until it ends in a way that sending it again cannot mend. Waits at least as long as
 * asked, and longer from one attempt to the next.
 * @param waitOf the wait in ms that an end asks for, 0 if it names none; null if it is final
 */
export async function sendUntilAnswered<T>(
  send: () => Promise<T>,
  waitOf: (ended: Ended<T>) => number | null,
  { retries = RETRIES }: RetryOptions,
): Promise<T> {
  for (let sent = 0; ; sent++) {
    const ended = await send().then(
      (answer): Ended<T> => ({ answer }),
      (error: unknown): Ended<T> => ({ error }),
    );
    const asked = sent < retries ? waitOf(ended) : null;
    if (asked === null || asked > ASKED_MS_MAX) {
      if ('error' in ended) throw ended.error;
      return ended.answer;
    }
    const backOff = Math.min(WAIT_MS_MAX, WAIT_MS_FIRST * 2 ** sent);
    const waitMs = Math.max(asked, backOff * (0.5 + Math.random() / 2));
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
