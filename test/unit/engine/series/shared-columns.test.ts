import assert from 'node:assert/strict';
import test from 'node:test';
import { bufferNumber, sharedColumns, weighReceived } from '../../../../engine/series/index.js';

const LENGTH = 125_000;
const COLUMN_BYTES = LENGTH * 8;

/** Bytes that the garbage collector counts more after `work`, in columns. */
function columnsWeighed(work: () => void): number {
  const before = process.memoryUsage().arrayBuffers;
  work();
  return (process.memoryUsage().arrayBuffers - before) / COLUMN_BYTES;
}

test('a buffer weighs once in a thread, by however many messages it comes', () => {
  const { buffer } = sharedColumns(1, LENGTH)[0]!;
  const number = bufferNumber(buffer);
  assert.equal(bufferNumber(buffer), number);
  const received = Array.from({ length: 50 }, () => structuredClone(buffer));
  assert.equal(new Set(received).size, 50);
  const weight = columnsWeighed(() => {
    for (const one of received) weighReceived(one, number);
  });
  assert.ok(weight > 0.9 && weight < 2, String(weight));
});
