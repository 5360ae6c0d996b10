import { Socket } from 'node:net';
import { PostgresDialect } from 'kysely';
import pg from 'pg';
import { isSettledWithin } from '../settled-within.js';
import type { Backend, QueuePool } from './backend.js';
import { ServerListener } from './notices.js';

/** Connections to a server, for each process. */
const CONNECTIONS_MAX = 10;
/** Each of the three queues that a process works on keeps one of them, to hear of new jobs. */
const QUEUE_CONNECTIONS_MAX = 6;
const CONNECT_MS_MAX = 10_000;
/**
 * The system asks for life signs of a connection that was silent so long, and takes it for dead 10
 * s later.
 */
const KEEP_ALIVE_MS = 10_000;
const LIMITS = {
  /**
   * A statement takes milliseconds; one of a migration, or one that waits for it, may take long.
   */
  statementMsMax: 60_000,
  /**
   * After that a server that is there has said so. One that does not is given up, whatever the
   * network makes of it.
   */
  silenceMsMax: 65_000,
  closeMsMax: 2_000,
};

/** A PostgreSQL server; connections are made when they are needed. */
export function openServer(url: string, { statementMsMax, silenceMsMax, closeMsMax } = LIMITS): Backend {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number); // the library leaves it a text
  const sockets = new Set<Socket>();
  const stream = (): Socket => {
    const socket = new Socket();
    sockets.add(socket);
    return socket.once('close', () => sockets.delete(socket));
  };
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    statement_timeout: statementMsMax,
    stream,
  };
  /** For connections that are not kept without a statement. */
  const impatient = (): Socket => {
    const socket = stream();
    return socket.setTimeout(silenceMsMax, () => socket.destroy(new Error('the database does not answer')));
  };
  const pool = new pg.Pool({ ...connection, stream: impatient, max: CONNECTIONS_MAX, types });
  surviveBreaks(pool);
  const listeners: ServerListener[] = [];
  const queuePools: pg.Pool[] = [];
  return {
    kind: 'server',
    dialect: new PostgresDialect({
      pool: {
        connect: () => pool.connect(),
        async end() {
          await isSettledWithin(closeMsMax, pool.end());
        },
      },
    }),
    async notify(channel, text) {
      await pool.query('select pg_notify($1, $2)', [channel, text]);
    },
    async listen(channel, ears) {
      listeners.push(await ServerListener.start(connection, channel, ears));
    },
    async openQueuePool(schema) {
      const options = `-c search_path=${schema}`;
      const queuePool = new pg.Pool({ ...connection, max: QUEUE_CONNECTIONS_MAX, options });
      surviveBreaks(queuePool);
      queuePools.push(queuePool);
      return queuePool as unknown as QueuePool;
    },
    async release() {
      const ends = queuePools.filter(({ ending }) => !ending).map((queuePool) => queuePool.end());
      const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      await isSettledWithin(
        closeMsMax,
        Promise.allSettled([...ends, ...listeners.map((listener) => listener.close()), ...closed]),
      );
      for (const socket of sockets) socket.destroy(); // of a server that does not let them go
    },
  };
}

/**
 * A connection that breaks fails the statement that runs on it; the pool drops it, and the next
 * statement opens another. Nobody else needs to hear of it, and what nobody listens to would end
 * the process.
 */
function surviveBreaks(pool: pg.Pool): void {
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
}
