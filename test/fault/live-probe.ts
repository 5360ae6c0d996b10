import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

interface Answers {
  /** The longest time to an answer. */
  readonly maxMs: number;
  /** What the main thread of the service worked meanwhile: the wait without other processes. */
  readonly aheadMsMax: number;
  readonly answers: number;
}

interface Asked {
  readonly url: string;
  readonly schedstat: string;
  readonly everyMs: number;
}

/**
 * Asks `/live` again and again from a thread of its own, since the loop that sends the requests of
 * a test is busy itself. `isReady` resolves when the thread asks.
 */
export function probeLive(origin: string, { pid, everyMs = 20 }: { readonly pid: number; readonly everyMs?: number }) {
  const asked: Asked = { url: `${origin}/live`, schedstat: `/proc/${pid}/task/${pid}/schedstat`, everyMs };
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: asked });
  const message = <T>(): Promise<T> =>
    new Promise((resolve, reject) => {
      worker.once('error', reject);
      worker.once('message', resolve);
    });
  const isReady = message<void>();
  const stop = async (): Promise<Answers> => {
    await isReady;
    const answers = message<Answers>();
    worker.postMessage('stop');
    return answers;
  };
  return { isReady, stop };
}

/** A failure counts as no answer, since a service that has ended fails the test anyway. */
function probe({ url, schedstat, everyMs }: Asked): void {
  const busyMs = (): number => Number(readFileSync(schedstat, 'utf8').split(' ')[0]) / 1e6;
  const most = (all: readonly number[]): number => Math.round(Math.max(...all));
  const [waits, ahead]: [number[], number[]] = [[], []];
  const ask = (): Promise<void> =>
    new Promise((resolve) => {
      const [startMs, busyBefore] = [performance.now(), busyMs()];
      const request = get(url, { agent: false }, (response) => {
        response.resume().once('end', () => {
          waits.push(performance.now() - startMs);
          ahead.push(busyMs() - busyBefore);
          resolve();
        });
      });
      request.once('error', () => resolve());
    });
  const asked: Promise<void>[] = [];
  const timer = setInterval(() => asked.push(ask()), everyMs);
  parentPort?.postMessage('ready');
  parentPort?.once('message', async () => {
    clearInterval(timer);
    await Promise.all(asked);
    parentPort?.postMessage({ maxMs: most(waits), aheadMsMax: most(ahead), answers: waits.length });
    parentPort?.close();
  });
}

if (!isMainThread) probe(workerData as Asked);
