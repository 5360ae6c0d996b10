import assert from 'node:assert/strict';
import test from 'node:test';
import { SplitMix64 } from '../../../../engine/statistics/index.js';
import { runs } from '../../../support/scale.js';

const bits = (random: SplitMix64): bigint => {
  random.next();
  return (BigInt(random.high) << 32n) | BigInt(random.low);
};

/** The published definition, in integers of any size. */
function reference(seed: bigint): () => bigint {
  const mask = (1n << 64n) - 1n;
  let state = seed & mask;
  return () => {
    state = (state + 0x9e3779b97f4a7c15n) & mask;
    let z = state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
    return z ^ (z >> 31n);
  };
}

test('seed 42 gives the published numbers', () => {
  const random = new SplitMix64(42);
  assert.deepEqual(
    [bits(random), bits(random), bits(random)],
    [0xbdd732262feb6e95n, 0x28efe333b266f103n, 0x47526757130f9f52n],
  );
  assert.equal(new SplitMix64(42).uniform(), 0.7415648787718233);
  const digits = new SplitMix64(42);
  assert.deepEqual(
    Array.from({ length: 5 }, () => digits.below(10)),
    [7, 1, 2, 3, 0],
  );
});

test('every draw is that of the definition in integers, for any seed', () => {
  const seeds = [0n, 1n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 63n, 2n ** 64n - 1n];
  const mixed = new SplitMix64(7);
  for (let k = 0; k < runs(200, 20_000); k++) seeds.push(bits(mixed));
  for (const seed of seeds) {
    const random = new SplitMix64(seed);
    const expected = reference(seed);
    for (let k = 0; k < 20; k++) assert.equal(bits(random), expected(), `seed ${seed}, draw ${k}`);
    assert.equal(random.uniform(), Number(expected() >> 11n) / 2 ** 53, `seed ${seed}`);
  }
});

test('a seed is taken modulo 2^64, given as number or bigint', () => {
  const first = (seed: bigint | number) => bits(new SplitMix64(seed));
  assert.equal(first(Number.MAX_SAFE_INTEGER), first(2n ** 53n - 1n));
  assert.equal(first(2n ** 64n + 5n), first(5));
  assert.equal(first(-1), first(2n ** 64n - 1n));
  assert.equal(first(9_007_199_254_740_991n * 1_000_003n + 3n), reference(9_007_199_254_740_991n * 1_000_003n + 3n)());
});
