import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/**
 * Asks `/live` again and again from a thread of its own, since the loop that sends the requests of
 * a test is busy itself.
 */
export interface LiveProbe {
  /** @returns the longest time to an answer in ms, and how many there were */
  stop(): Promise<{ readonly maxMs: number; readonly answers: number }>;
}

const EVERY_MS = 10;

export function probeLive(origin: string): LiveProbe {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: origin });
  return {
    stop: () =>
      new Promise((resolve, reject) => {
        worker.once('error', reject);
        worker.once('message', resolve);
        worker.postMessage('stop');
      }),
  };
}

/** A failure counts as no answer, since a service that has ended fails the test anyway. */
const ask = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const request = get(url, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode === 200));
    });
    request.once('error', () => resolve(false));
  });

async function probe(origin: string): Promise<void> {
  let isStopped = false;
  let maxMs = 0;
  let answers = 0;
  parentPort?.once('message', () => {
    isStopped = true;
  });
  while (!isStopped) {
    const startMs = performance.now();
    if (await ask(`${origin}/live`)) answers++;
    maxMs = Math.max(maxMs, performance.now() - startMs);
    await delay(EVERY_MS);
  }
  parentPort?.postMessage({ maxMs, answers });
  parentPort?.close();
}

if (!isMainThread && typeof workerData === 'string') await probe(workerData);
