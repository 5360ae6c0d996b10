import assert from 'node:assert/strict';
import test from 'node:test';
import { evaluateSuppliedBars, validateSignalParams } from '../../../../service/signals/index.js';
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

const verdict = (signal_name: string, parameters: unknown) => validateSignalParams({ signal_name, parameters });

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
