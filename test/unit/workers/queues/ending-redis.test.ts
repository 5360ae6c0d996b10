import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Redis } from 'ioredis';
import { connectEnding } from '../../../../workers/queues/ending-redis.js';
import { noRedis as skip, startRedis } from '../../../support/redis.js';

/** A killed server is back before the next attempt. */
const RETRY_MS = 500;

/** Resolves when the connection emits the event. Errors before it do not reject. */
const reported = (connection: Redis, event: string): Promise<void> =>
  new Promise((resolve) => {
    connection.once(event, () => resolve());
  });

/** Connects, and waits until the server has gone away and the connection waits to reconnect. */
async function reconnecting(url: string, leave: () => void): Promise<Redis> {
  const first = connectEnding(url, { maxRetriesPerRequest: null, retryStrategy: () => RETRY_MS });
  const connection = first.duplicate();
  connection.on('error', () => {});
  await connection.ping();
  first.disconnect();
  const waits = reported(connection, 'reconnecting');
  leave();
  await waits;
  return connection;
}

test('a duplicate that is disconnected while it waits to reconnect fails its commands and ends', { skip }, async () => {
  const server = await startRedis();
  const connection = await reconnecting(server.url, () => void server.stop());
  const ended = reported(connection, 'end');
  const command = assert.rejects(connection.ping(), /Connection is closed/);
  connection.disconnect();
  await Promise.all([ended, command]);
});
