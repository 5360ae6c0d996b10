import assert from 'node:assert/strict';
import test from 'node:test';
import { evaluateSuppliedBars, MARKET_DATA_BARS_MAX, validateSignalParams } from '../../../../service/signals/index.js';
import { refusesWith } from '../../../support/refusals.js';

const closes = (...values: number[]) => values.map((Close) => ({ Close }));
const rising = closes(...Array.from({ length: 40 }, (_, i) => 100 + i));
const above = (parameters: unknown, market_data: unknown = rising) =>
  evaluateSuppliedBars({ signal_name: 'is_above_sma', market_data, parameters });

test('the value is that of the last bar, in either case of the keys', () => {
  const bars = closes(100, 102, 101, 103, 105, 104);
  const yes = { success: true, signal_name: 'is_above_sma', result: true };
  assert.deepEqual(above({ window: 2 }, bars), { ...yes, result: false });
  assert.deepEqual(above({ window: 2 }, bars.slice(0, 5)), yes);
  assert.deepEqual(
    above(
      { window: 2 },
      bars.slice(0, 5).map(({ Close }) => ({ close: Close, OPEN: 'ignored' })),
    ),
    yes,
  );
});

test('the scoped form gives the same under its own names', () => {
  const answer = above({ window: 5 });
  assert.deepEqual(evaluateSuppliedBars({ name: 'is_above_sma', market_data: rising, params: { window: 5 } }), answer);
  const both = { signal_name: 'is_above_sma', name: 'rsi_oversold', market_data: rising };
  assert.deepEqual(evaluateSuppliedBars({ ...both, parameters: { window: 5 }, params: { window: 0 } }), answer);
  const hammer = evaluateSuppliedBars({ name: 'hammer', market_data: [{ Open: 10, High: 10.2, Low: 8, Close: 10.1 }] });
  assert.equal(hammer.signal_name, 'hammer_trigger');
});

test('too few bars give an answer without a result, with the number required', () => {
  const { success, result, ...rest } = above({ window: 20 }, rising.slice(0, 19));
  assert.deepEqual([success, result], [false, null]);
  assert.match('error' in rest ? rest.error : '', /is_above_sma needs at least 20 bars .* market_data has 19$/);
  assert.equal(above({ window: 20 }, rising.slice(0, 20)).success, true);
});

test('for chain columns observations count', () => {
  const whales = (cells: unknown[]) =>
    evaluateSuppliedBars({
      signal_name: 'whale_net_accumulation',
      market_data: cells.map((WhaleNetInflow) => ({ WhaleNetInflow })),
      parameters: { window: 3 },
    });
  assert.equal(whales([1, 2, 3]).result, true);
  const few = whales([1, null, 3, 'n/a']);
  assert.match('error' in few ? few.error : '', /needs at least 3 observations of WhaleNetInflow .* has 2$/);
  const without = { signal_name: 'whale_net_accumulation', market_data: rising };
  refusesWith(() => evaluateSuppliedBars(without), 'VALIDATION_ERROR', /no column WhaleNetInflow/);
});

test('an unknown signal is not found, a missing one is missing', () => {
  for (const signal_name of ['nope', '__proto__', 'toString']) {
    refusesWith(() => evaluateSuppliedBars({ signal_name, market_data: rising }), 'RESOURCE_NOT_FOUND', /not found/);
  }
  refusesWith(
    () => evaluateSuppliedBars({ market_data: rising }),
    'MISSING_FIELD',
    /Missing required field: signal_name/,
  );
  const odd = { toString: 1 } as never;
  refusesWith(() => evaluateSuppliedBars({ name: odd, market_data: rising }), 'VALIDATION_ERROR', /must be a text/);
});

test('absent and empty market data is missing, and anything but bars is refused', () => {
  for (const market_data of [undefined, null, []]) {
    const request = { signal_name: 'bop_bullish', market_data };
    refusesWith(() => evaluateSuppliedBars(request), 'MISSING_FIELD', /Missing required field: market_data/);
  }
  refusesWith(() => above({}, { length: 1 }), 'VALIDATION_ERROR', /market_data must be an array of bars/);
  refusesWith(
    () => above({}, [{ Close: 1 }, null]),
    'VALIDATION_ERROR',
    /market_data\[1\] must be an object, was null/,
  );
  refusesWith(() => above({}, [[1]]), 'VALIDATION_ERROR', /market_data\[0\] must be an object/);
});

test('a column that no bar has is named, also where there are too few bars', () => {
  refusesWith(() => above({}, [{ open: 1 }]), 'VALIDATION_ERROR', /^market_data has no column Close, which is_above/);
});

test('a missing required column, or a cell that is no number, is refused by name', () => {
  const bars = [...rising.slice(1), { Open: 5 }];
  refusesWith(() => above({ window: 2 }, bars), 'VALIDATION_ERROR', /^market_data\[39\]: close is required/);
  for (const Close of ['5', null, NaN, Infinity, {}]) {
    refusesWith(
      () => above({ window: 2 }, [{ Close }, ...rising]),
      'VALIDATION_ERROR',
      /market_data\[0\]: close must be a finite number/,
    );
  }
});

test('market data is refused beyond its largest length', () => {
  const bars = Array.from({ length: MARKET_DATA_BARS_MAX + 1 }, () => ({ Close: 1 }));
  refusesWith(() => above({}, bars), 'VALIDATION_ERROR', /at most 20000 bars, was "20001 bars"/);
  bars.length = MARKET_DATA_BARS_MAX;
  assert.equal(above({ window: 3 }, bars).result, false);
});

const verdict = (signal_name: string, parameters: unknown) => validateSignalParams({ signal_name, parameters });

test('valid parameters get an empty verdict', () => {
  const fine = { valid: true, errors: [], warnings: [] };
  assert.deepEqual(verdict('rsi_oversold', { window: 14, threshold: 25.5 }), fine);
  assert.deepEqual(verdict('rsi_oversold', {}), fine);
  assert.deepEqual(verdict('bullish_engulfing', {}), fine);
});

test('every problem is reported, not only the first', () => {
  const { valid, errors } = verdict('rsi_oversold', { window: 1, threshold: 'low', windw: 3 });
  assert.equal(valid, false);
  assert.equal(errors.length, 3);
  assert.match(errors[0]!, /window must be 2\.\.100, was 1/);
  assert.match(errors[1]!, /threshold must be a finite number 0\.\.50, was "low"/);
  assert.match(errors[2]!, /unknown parameter "windw", did you mean window\? \(known: window, threshold\)/);
});

test('older names are accepted with a warning', () => {
  const { valid, warnings } = verdict('rsi_oversold', { period: 20 });
  assert.equal(valid, true);
  assert.deepEqual(warnings, ['period is an older name of window and is read as window']);
  const both = verdict('rsi_oversold', { period: 20, window: 14 });
  assert.deepEqual(both.warnings, [
    'period is an older name of window and is ignored because another name is given too',
  ]);
  assert.equal(verdict('rsi_oversold', { period: 1, window: 14 }).valid, true, 'an ignored name is not judged');
  assert.equal(verdict('rsi_oversold', { period: 1 }).valid, false);
});

test('parameters that are no object are invalid, absent ones are missing', () => {
  for (const parameters of [[], 'x', 5]) {
    assert.match(verdict('rsi_oversold', parameters).errors.join(), /parameters must be an object/);
  }
  refusesWith(() => verdict('rsi_oversold', null), 'MISSING_FIELD', /Missing required field: parameters/);
  refusesWith(() => verdict('nope', {}), 'RESOURCE_NOT_FOUND', /signal nope not found/);
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`p${i}`, i]));
  assert.deepEqual(verdict('rsi_oversold', many).errors, ['parameters must have at most 50 entries, had 51']);
});
