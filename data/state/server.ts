import { Socket } from 'node:net';
import pg from 'pg';
import { isSettledWithin } from '../settled-within.js';
import { type Backend, ServerListener } from './backend.js';

/** Connections per process. */
const CONNECTIONS_MAX = 10;
/** Each of a process's three queues keeps one of them to hear of new jobs. */
const QUEUE_CONNECTIONS_MAX = 6;
const CONNECT_MS_MAX = 10_000;
/**
 * After this much silence the operating system probes a connection; it considers it dead 10 s
 * later.
 */
const KEEP_ALIVE_MS = 10_000;
const LIMITS = {
  /**
   * A statement takes milliseconds; one of a migration, or one that waits for a migration, may take
   * long.
   */
  statementMsMax: 60_000,
  /**
   * A live server reports a timeout earlier. A connection that stays silent this long is closed,
   * even if the network reports no fault.
   */
  silenceMsMax: 65_000,
  closeMsMax: 2_000,
};

/** A PostgreSQL server; connections open when they are needed. */
export function openServer(url: string, { statementMsMax, silenceMsMax, closeMsMax } = LIMITS): Backend {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number); // by default the library returns a string
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
  /** For connections that do not stay open without a statement, as listening ones do. */
  const impatient = (): Socket => {
    const socket = stream();
    return socket.setTimeout(silenceMsMax, () => socket.destroy(new Error('the database does not answer')));
  };
  // The embedded store writes times in UTC. A server in another zone would, in a backup, write them otherwise.
  const options = '-c TimeZone=UTC';
  const pool = new pg.Pool({ ...connection, stream: impatient, max: CONNECTIONS_MAX, types, options });
  surviveBreaks(pool);
  const listeners: ServerListener[] = [];
  const queuePools: pg.Pool[] = [];
  return {
    kind: 'server',
    pool: { connect: () => pool.connect(), end: async () => void (await isSettledWithin(closeMsMax, pool.end())) },
    tell: null,
    async listen(channel, ears) {
      listeners.push(await ServerListener.start(connection, channel, ears));
    },
    async openQueuePool(schema) {
      const options = `-c search_path=${schema}`;
      const queuePool = new pg.Pool({ ...connection, max: QUEUE_CONNECTIONS_MAX, options });
      surviveBreaks(queuePool);
      queuePools.push(queuePool);
      return queuePool;
    },
    changes: null,
    connectionUse: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async release() {
      const ends = queuePools.filter(({ ending }) => !ending).map((queuePool) => queuePool.end());
      const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      await isSettledWithin(
        closeMsMax,
        Promise.allSettled([...ends, ...listeners.map((listener) => listener.close()), ...closed]),
      );
      for (const socket of sockets) socket.destroy(); // connections that the server does not close
    },
  };
}

/**
 * A broken connection fails its current statement; the pool drops it, and the next statement opens
 * another. The empty listeners are needed because an error event without a listener would end the
 * process.
 */
function surviveBreaks(pool: pg.Pool): void {
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
}
