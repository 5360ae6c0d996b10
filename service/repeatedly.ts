/**
 * Runs a task now and then every `everyMs`, one run at a time. A failure is reported; the next run
 * follows as usual.
 * @returns stops the repetition after the current run
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
