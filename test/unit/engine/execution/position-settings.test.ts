import assert from 'node:assert/strict';
import test from 'node:test';
import {
  cashCurve,
  executionFieldNames,
  fieldOf,
  positionFieldNames,
  publishedDefaults,
  resolveConfig,
  simulate,
  simulateByStep,
} from '../../../../engine/execution/index.js';
import { HOUR_MS } from '../../../../engine/series/index.js';
import { barsOf, configOf, inputOf, plainSettings } from '../../../support/execution.js';

const sides = (settings: Record<string, unknown>) =>
  resolveConfig({ request: settings, interval: HOUR_MS, takesPositionFields: true }).config;

test('settings of sides, margin and orders at their defaults leave the config as it is', () => {
  const defaults = Object.fromEntries(positionFieldNames.map((name) => [name, fieldOf(name).default]));
  assert.deepStrictEqual(sides(defaults), configOf({}));
  assert.deepEqual(
    Object.keys(sides({ leverage: 2 })),
    [...Object.keys(configOf({})).slice(0, -5), 'leverage'].concat(Object.keys(configOf({})).slice(-5)),
  );
  for (const name of positionFieldNames) {
    assert.equal(name in publishedDefaults, false, name);
    assert.equal((executionFieldNames as readonly string[]).includes(name), false, name);
    assert.equal(fieldOf(name).isLeftOut, true, name);
  }
});

test('where a run does not know sides, their settings are refused as unknown', () => {
  for (const name of positionFieldNames) {
    assert.throws(() => configOf({ [name]: fieldOf(name).default }), /is not a field of execution_config/);
  }
});

test('a trade of a run that uses none of the settings has no details', () => {
  const rows = Array.from({ length: 6 }, () => [100, 101, 99, 100] as const);
  const plain = simulate(inputOf(barsOf(rows), [0], [], plainSettings));
  assert.equal(plain.sided, undefined);
  assert.deepEqual(
    plain.trades.map((trade) => 'details' in trade),
    [false],
  );
});

test('a run with sides is one meaning in both simulations, with its cash at each close, and whole masks', () => {
  const bars = barsOf([50, 51, 49, 52, 53, 50, 48, 51].map((price) => [price, price + 1, price - 1, price]));
  const input = { ...inputOf(bars, [1], [3], {}), config: sides({ ...plainSettings, leverage: 2 }) };
  const run = simulate(input);
  assert.deepStrictEqual(simulateByStep(input), run);
  assert.equal(cashCurve(input, run).length, run.equity.length);
  assert.throws(() => simulate({ ...input, shortEntry: new Uint32Array(9) }), /masks of 8 bars have 1 words, were 9/);
  assert.throws(() => sides({ levrage: 2 }), /leverage/);
});
