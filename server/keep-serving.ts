/**
 * From here on an error that nothing caught, thrown or rejected, is handed to `record` and the
 * process goes on: its other calls, streams and jobs have no part in it. The call that it belongs
 * to ends at its deadline at the latest, and its job when its lease does.
 *
 * It is called when all parts have started. An error before that still ends the process, since a
 * service that started in part would serve in part. Lack of memory ends it at any time.
 */
export function keepServing(record: (error: unknown) => void): void {
  // A rejection that nothing handles becomes such an exception too.
  process.on('uncaughtException', (error) => {
    try {
      record(error);
    } catch {} // an exception here would end the process
  });
}
