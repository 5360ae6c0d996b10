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

test('each buffer has its number and its weight; an ordinary buffer is counted without', () => {
  const buffers = Array.from({ length: 20 }, () => new SharedArrayBuffer(COLUMN_BYTES));
  assert.equal(new Set(buffers.map(bufferNumber)).size, 20);
  const weight = columnsWeighed(() => {
    for (const buffer of buffers) weighReceived(buffer, bufferNumber(buffer));
  });
  assert.ok(weight > 19 && weight < 21, String(weight));
  const ordinary = new ArrayBuffer(COLUMN_BYTES);
  const nothing = columnsWeighed(() => weighReceived(ordinary, bufferNumber(ordinary)));
  assert.ok(nothing < 0.1, String(nothing));
});
