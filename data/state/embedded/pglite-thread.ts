/** The embedded store in a separate thread, so that its statements do not block the process. */
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, types } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import type { Failure, Listening, Notice, Reply, Statement } from './pglite-pool.js';

// biome-ignore lint/style/noNonNullAssertion: this module runs only in a worker thread
const port = parentPort!;
// By default the library reads a large INT8 as a BigInt.
const store = await PGlite.create(workerData as string, {
  parsers: { [types.INT8]: Number },
  extensions: { vector }, // only offered: the first lookup of the assistant makes it
});

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
    reply = { id, failure: tellable(error as Failure['failure']) };
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

/**
 * Forwards only these two fields. The error also holds the parameters and sometimes, in its detail,
 * a whole row, which must not reach a log. A field that cannot be cloned would end the thread.
 */
function tellable({ message, code }: Failure['failure']): Failure['failure'] {
  return { message, code };
}
