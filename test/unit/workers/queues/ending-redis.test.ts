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
async function reconnecting(url: string, leave: () => void, isDuplicate = false): Promise<Redis> {
  const first = connectEnding(url, { maxRetriesPerRequest: null, retryStrategy: () => RETRY_MS });
  const connection = isDuplicate ? first.duplicate() : first;
  connection.on('error', () => {});
  await connection.ping();
  if (isDuplicate) first.disconnect();
  const waits = reported(connection, 'reconnecting');
  leave();
  await waits;
  return connection;
}

for (const isDuplicate of [false, true]) {
  const name = isDuplicate ? 'a duplicate' : 'a connection';

  test(`${name} that is disconnected while it waits to reconnect fails its commands and ends`, { skip }, async () => {
    const server = await startRedis();
    const connection = await reconnecting(server.url, () => void server.stop(), isDuplicate);
    const ended = reported(connection, 'end');
    const command = assert.rejects(connection.ping(), /Connection is closed/);
    connection.disconnect();
    await Promise.all([ended, command]);
  });
}

test('a connection that was disconnected ends although its server is back', { skip }, async () => {
  const server = await startRedis();
  let back = Promise.resolve();
  const connection = await reconnecting(server.url, () => {
    back = server.crash();
  });
  const ended = reported(connection, 'end');
  connection.disconnect();
  await Promise.all([ended, back]);
  await server.stop();
});

test('a connection that is there ends at once', { skip }, async () => {
  const server = await startRedis();
  const connection = connectEnding(server.url, {});
  await connection.ping();
  const ended = reported(connection, 'end');
  connection.disconnect();
  await ended;
  await server.stop();
});
