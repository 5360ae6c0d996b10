import assert from 'node:assert/strict';
import test from 'node:test';
import { allocateBars, ColumnMemory, sharedColumns } from '../../../../engine/series/index.js';
import { withinReach } from '../../../../engine/simd/index.js';
import { evaluateRules, parseStrategy, planStrategy } from '../../../../engine/strategy/index.js';
import { randomBars, seededRandom } from '../../../support/random.js';

test('columns never overlap, and a memory grows only to what is in use at once, for any lengths', () => {
  const memory = ColumnMemory.create(0);
  const random = seededRandom(1);
  const held = new Map<Float64Array, number>();
  for (let step = 1; step <= 5_000; step++) {
    if (held.size < 20) {
      const column = memory.allocate(1 + Math.floor(random() * 4_000));
      held.set(column.fill(step), step);
    } else {
      const [column, mark] = [...held][Math.floor(random() * held.size)]!;
      assert.ok(column.every((value) => value === mark));
      held.delete(column);
      memory.free(column);
    }
  }
  assert.ok(memory.bytes < 2 * 20 * 8 * 4_000, `${memory.bytes} bytes`);
  for (const column of held.keys()) memory.free(column);
  const { bytes } = memory;
  memory.allocate(bytes / 8);
  assert.equal(memory.bytes, bytes, 'all gaps have joined');
});

test('a column that is released twice is refused', () => {
  const memory = ColumnMemory.create(0);
  const [first, second] = [memory.allocate(100), memory.allocate(100)];
  memory.free(first!);
  assert.throws(() => memory.free(first!), /a column was given back twice: bytes 0\.\.832/);
  memory.free(second!);
  assert.throws(() => memory.free(second!), /given back twice/);
});

const rules = parseStrategy(
  {
    name: 'Two timeframes',
    entry: [
      { name: 'ema_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: {} },
      { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '4h', params: { window: 30 } },
    ],
    exit: [],
  },
  'relaxed',
);

test('work on a copy in the memory of the thread has the same result, and the copy is released', () => {
  const source = randomBars({ seed: 2, barCount: 20_000 });
  const bars = allocateBars(source.barCount, source.intervalMs, [], sharedColumns);
  for (const name of ['time', 'open', 'high', 'low', 'close', 'volume'] as const) bars[name].set(source[name]);
  assert.equal(ColumnMemory.of(bars.close), undefined);
  const plan = planStrategy(rules, bars.intervalMs);
  const expected = evaluateRules(plan, source);
  const offsets = [0, 1, 2].map(() =>
    withinReach(bars, (copy) => {
      assert.notEqual(ColumnMemory.of(copy.close), undefined);
      assert.deepEqual(evaluateRules(plan, copy), expected);
      return copy.close.byteOffset;
    }),
  );
  assert.throws(() =>
    withinReach(bars, () => {
      throw new Error('no');
    }),
  );
  assert.deepEqual(new Set([...offsets, withinReach(bars, ({ close }) => close.byteOffset)]).size, 1);
});
