/**
 * Does a task now and every `everyMs` from then on, one at a time. A failure is reported and the
 * task done again in its turn.
 * @returns stops it, once a run under way has ended
 */
export function repeatedly(
  task: () => Promise<unknown>,
  everyMs: number,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<void> | null = null;
  const run = (): void => {
    running ??= task()
      .then(() => {}, onError)
      .finally(() => {
        running = null;
      });
  };
  run();
  const timer = setInterval(run, everyMs).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
