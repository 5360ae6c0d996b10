import { Redis, type RedisOptions } from 'ioredis';

/**
 * Connects to Redis. The connection and its duplicates end, and report it, whenever they are
 * disconnected. By itself ioredis reports nothing if the connection was waiting to reconnect, and
 * a worker that closes waits for that report.
 */
export function connectEnding(url: string, options: RedisOptions): Redis {
  return ending(new Redis(url, { ...options, replyMapping: 'legacy' }));
}

function ending(connection: Redis): Redis {
  const disconnect = connection.disconnect.bind(connection);
  const duplicate = connection.duplicate.bind(connection);
  return Object.assign(connection, {
    disconnect(reconnect = false) {
      if (reconnect || connection.status !== 'reconnecting') {
        disconnect(reconnect);
        return;
      }
      connection.options.retryStrategy = () => null; // the attempt that is due ends the connection
      connection.on('error', () => {}); // its failure is no news
      connection.once('ready', () => disconnect()); // unless the server is back
    },
    /** A worker waits for jobs on a duplicate of its connection. */
    duplicate: (override?: Partial<RedisOptions>) => ending(duplicate(override)),
  });
}
