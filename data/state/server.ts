import { PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Backend, QueuePool } from './backend.js';
import { ServerListener } from './notices.js';

/** Connections to a server, for each process. */
const CONNECTIONS_MAX = 10;
/** Two of them hear of new jobs all the time. */
const QUEUE_CONNECTIONS_MAX = 6;
const CONNECT_MS_MAX = 10_000;

/** A PostgreSQL server; connections are made when they are needed. */
export function openServer(url: string): Backend {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number); // the library leaves it a text
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    types,
  });
  surviveBreaks(pool);
  const listeners: ServerListener[] = [];
  const queuePools: pg.Pool[] = [];
  return {
    kind: 'server',
    dialect: new PostgresDialect({ pool }),
    async notify(channel, text) {
      await pool.query('select pg_notify($1, $2)', [channel, text]);
    },
    async listen(channel, ears) {
      listeners.push(await ServerListener.start(url, channel, ears));
    },
    async openQueuePool(schema) {
      const options = `-c search_path=${schema}`;
      const queuePool = new pg.Pool({ connectionString: url, max: QUEUE_CONNECTIONS_MAX, keepAlive: true, options });
      surviveBreaks(queuePool);
      queuePools.push(queuePool);
      return queuePool as unknown as QueuePool;
    },
    async release() {
      for (const queuePool of queuePools) await queuePool.end();
      for (const listener of listeners) await listener.close();
    },
  };
}

/**
 * A connection that breaks fails the statement that runs on it; the pool drops it, and the next statement opens another. Nobody else
 * needs to hear of it, and what nobody listens to would end the process.
 */
function surviveBreaks(pool: pg.Pool): void {
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
}
