/** The embedded store in a thread of its own, which keeps the work of its statements away from those who wait for others. */
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, types } from '@electric-sql/pglite';
import type { Failure, Reply, Statement } from './pglite-pool.js';

const port = parentPort!;
// The library would read a large one as a BigInt.
const store = await PGlite.create(workerData as string, { parsers: { [types.INT8]: Number } });

port.on('message', async (statement: Statement | 'close') => {
  if (statement === 'close') {
    await store.close();
    port.close();
    return;
  }
  const { id, sql, parameters } = statement;
  let reply: Reply;
  try {
    const { rows, affectedRows = 0 } = await store.query(sql, parameters);
    reply = { id, rows, affectedRows };
  } catch (error) {
    reply = { id, failure: tellable(error as Failure['failure']) };
  }
  port.postMessage(reply);
});
port.postMessage('open');

/**
 * No more than that: the error also holds the parameters and, as its detail, at times the whole row, which are not for a log;
 * and what cannot be cloned would end the thread.
 */
function tellable({ message, code }: Failure['failure']): Failure['failure'] {
  return { message, code };
}
