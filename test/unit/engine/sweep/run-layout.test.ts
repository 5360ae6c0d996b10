import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { resolveConfig } from '../../../../engine/execution/index.js';
import { HOUR_MS } from '../../../../engine/series/index.js';
import { defaultsOnly, isCovered, POSITIONS_MAX, readSettings } from '../../../../engine/sweep/fused-support.js';
import { asDouble, assemblyText, runInput } from '../../../../engine/sweep/run-layout.js';
import { root } from '../../../support/tree.js';

const written = readFileSync(join(root, 'engine/simd/assembly/run-layout.ts'), 'utf8');
const config = (request: object) => resolveConfig({ request, interval: HOUR_MS }).config;

test('the kernels were built with the structures that the engine fills', () => {
  assert.equal(written, assemblyText());
});

test('each field has one name, and the same place on both sides', () => {
  const fields = [...written.matchAll(/class RunInput \{\n([^}]*)\}/g)].flatMap(([, body]) => body.match(/\w+(?=:)/g));
  assert.deepEqual(fields, runInput.names);
  assert.equal(new Set(runInput.names).size, runInput.names.length);
  for (const [place, name] of runInput.names.entries()) assert.equal(runInput.at[name], place);
  assert.deepEqual(runInput.names.slice(-readSettings.length), readSettings);
});

test('a setting is a double: null is NaN, a text its place among the values', () => {
  assert.equal(asDouble('fee_pct', 0.25), 0.25);
  assert.equal(asDouble('atr_cap_multiplier', null), NaN);
  assert.deepEqual(
    ['v1', 'v2'].map((value) => asDouble('position_size_calc', value)),
    [0, 1],
  );
  assert.match(written, /enum position_size_calc \{\n {2}v1 = 0,\n {2}v2 = 1,\n\}/);
});

test('all settings are covered, except more positions than there is room for', () => {
  assert.ok(isCovered(config({}), POSITIONS_MAX));
  assert.ok(isCovered(config({ max_open_positions: POSITIONS_MAX }), POSITIONS_MAX));
  assert.ok(!isCovered(config({ max_open_positions: POSITIONS_MAX + 1 }), POSITIONS_MAX));
  assert.ok(isCovered(config({ max_open_positions: POSITIONS_MAX + 1 }), POSITIONS_MAX / 2), 'the bars open no more');
  assert.ok(isCovered(config({ enable_volatility_adjustment: true }), POSITIONS_MAX));
});

test('all settings of positions are covered', () => {
  const sides = (request: object) => resolveConfig({ request, interval: HOUR_MS, takesPositionFields: true }).config;
  const covered = {
    opposite_entry: 'reverse',
    leverage: 3,
    trailing_distance: 1,
    target_order: 'limit',
    impact_coefficient: 0.1,
  };
  assert.ok(isCovered(sides({ ...covered, position_sizing: 'volatility_target', max_gross_exposure: 2 }), 1_000));
  assert.ok(isCovered(sides({ borrow_rate: 0.1, guard_max_drawdown: 0.1, scale_out: [[1, 0.5]] }), 1_000));
  assert.ok(isCovered(sides({ entry_order: 'stop', entry_offset_atr: 1 }), 1_000));
  assert.ok(isCovered(sides({ detail_interval: '5m' }), 1_000));
});

test('of a setting whose line says default, runs with another value are not covered', () => {
  const line = { default: null, fastPath: 'default' } as const;
  const [covers, left, ...others] = defaultsOnly({
    cap: line,
    pause: { ...line, default: 0, isLeftOut: true },
    fee: { default: 0, fastPath: 'read' },
  });
  assert.deepEqual([covers({ cap: null }), covers({ cap: 0.5 }), others], [true, false, []]);
  assert.deepEqual([left({}), left({ pause: 2 })], [true, false]);
});
