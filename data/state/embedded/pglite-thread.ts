/** The embedded store in a thread of its own, which keeps the work of its statements away from those who wait for others. */
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { Listening, Notice, Reply, Statement } from './pglite-pool.js';

/** Type number of PostgreSQL whose text is read as something else than the library's default. */
const INT8 = 20;

const port = parentPort!;
const store = await PGlite.create(workerData as string, { parsers: { [INT8]: Number } });

port.on('message', async (question: Statement | Listening | 'close') => {
  if (question === 'close') {
    await store.close();
    port.close();
    return;
  }
  const { id } = question;
  let reply: Reply;
  try {
    reply = { id, ...(await answer(question)) };
  } catch (error) {
    reply = { id, failure: { ...(error as Error), message: (error as Error).message } }; // a clone of an Error loses its code
  }
  port.postMessage(reply);
});

async function answer(question: Statement | Listening): Promise<{ rows: unknown[]; affectedRows: number }> {
  if ('channel' in question) {
    const { channel } = question;
    await store.listen(channel, (payload) => port.postMessage({ channel, payload } satisfies Notice));
    return { rows: [], affectedRows: 0 };
  }
  const { sql, parameters } = question;
  if (parameters === null) {
    const results = await store.exec(sql);
    const { rows, affectedRows = 0 } = results.at(-1) ?? { rows: [] };
    return { rows, affectedRows };
  }
  const { rows, affectedRows = 0 } = await store.query(sql, parameters);
  return { rows, affectedRows };
}

port.postMessage('open');
