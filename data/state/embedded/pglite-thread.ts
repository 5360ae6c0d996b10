/** The embedded store in a separate thread, so that its statements do not block the process. */
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, types } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import type { Failure, Listening, Notice, Reply, Statement } from './pglite-pool.js';

// biome-ignore lint/style/noNonNullAssertion: this module runs only in a worker thread
const port = parentPort!;

/**
 * PostgreSQL clears its buffers when it starts. The 128 MB of a server take half of the time of
 * an opening, and reads of 60 MB of rows were no slower with this much (measured: 3.3 s of a
 * processor for 5,000 random rows, and 3.6 s with 128 MB).
 */
const BUFFERS = '16MB';

const store = await PGlite.create(workerData as string, {
  startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${BUFFERS}`],
  parsers: { [types.INT8]: Number }, // by default the library reads a large one as a BigInt
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
