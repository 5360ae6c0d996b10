import assert from 'node:assert/strict';
import test from 'node:test';
import { Draws } from '../../../../data/upstreams/draws.js';
import { valueAt } from '../../../../data/upstreams/recorded.js';

test('a recorded value holds from its time on, until it is too old', () => {
  const series = { time: Float64Array.of(10, 20, 20, 30), value: Float64Array.of(1, 2, 3, 4) };
  const at = (ms: number, maxAgeMs = 1_000) => valueAt(series, ms, maxAgeMs);
  assert.deepEqual(
    [9, 10, 19, 20, 29, 30, 1_030, 1_031].map((ms) => at(ms)),
    [null, 1, 1, 3, 3, 4, 4, null],
  );
  assert.equal(valueAt({ time: new Float64Array(), value: new Float64Array() }, 5, Infinity), null);
});

test('draws depend on what they are for only, and have the spread that they promise', () => {
  const take = (...what: string[]) => {
    const draws = new Draws(...what);
    return Array.from({ length: 2_000 }, () => draws.around(100, 0.5));
  };
  assert.deepEqual(take('a', 'b'), take('a', 'b'));
  assert.notDeepEqual(take('a', 'b'), take('a', 'c'));
  const sorted = take('a').sort((x, y) => x - y);
  assert.ok(Math.abs((sorted[1_000] ?? 0) - 100) < 5, 'the median');
  assert.ok(Math.abs(Math.log((sorted[1_683] ?? 0) / 100) - 0.5) < 0.05, 'one deviation above');
});
