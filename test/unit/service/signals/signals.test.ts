import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CODE_CHARACTERS_MAX,
  evaluateSuppliedBars,
  validateSignalCode,
  validateSignalParams,
} from '../../../../service/signals/index.js';
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

const fine = {
  code: 'function my_dip(bars, { window }) {\n  return bars.at(-1).Close < bars.at(-window).Close;\n}\n',
  params: { window: { type: 'int', min: 2, max: 50, default: 5 } },
  description: 'True while the close is lower than some bars before.',
  rule_name: 'my_dip',
};

const errorsOf = (change: object): string => validateSignalCode({ ...fine, ...change }).errors.join('; ');

test('sound code and metadata are valid, and nothing that needs running the code is examined', () => {
  assert.deepEqual(validateSignalCode(fine), {
    valid: true,
    syntax_valid: true,
    metadata_valid: true,
    execution_valid: null,
    trades_valid: null,
    errors: [],
    warnings: [],
  });
});

test('submitted code never runs', () => {
  const mark = 'barlineRanSubmittedCode';
  const code = `globalThis.${mark} = 1; (() => { globalThis.${mark} = 2; })(); class A { static { globalThis.${mark} = 3; } }`;
  assert.equal(validateSignalCode({ ...fine, code }).syntax_valid, true);
  assert.equal(mark in globalThis, false);
  assert.equal(validateSignalCode({ ...fine, code: 'for (;;) {}' }).syntax_valid, true);
});

test('a syntax error is reported with its line', () => {
  const verdict = validateSignalCode({ ...fine, code: 'const a = 1;\nreturn a +;' });
  assert.deepEqual([verdict.valid, verdict.syntax_valid, verdict.metadata_valid], [false, false, true]);
  assert.match(verdict.errors.join(), /^code is not valid JavaScript on line 2: /);
  assert.match(errorsOf({ code: ' ' }), /code must be a JavaScript script, was empty/);
});

test('the name must be new, well formed and in the code', () => {
  assert.match(errorsOf({ rule_name: 'rsi_oversold' }), /rule_name rsi_oversold is the name of a built-in signal/);
  assert.match(errorsOf({ rule_name: 'hammer' }), /built-in/);
  for (const rule_name of ['My Dip', '__proto__', '9lives', '', 'x'.repeat(81), 5]) {
    assert.match(errorsOf({ rule_name }), /rule_name must be at most 80 lower-case letters/);
  }
  assert.deepEqual(validateSignalCode({ ...fine, rule_name: 'other' }).warnings, ['code does not mention "other"']);
  assert.equal(validateSignalCode({ ...fine, rule_name: null }).valid, true);
});

test('specifications of parameters are checked one by one', () => {
  const params = {
    a: { type: 'decimal' },
    b: { type: 'int', min: 5, max: 2 },
    c: { type: 'float', default: 'x' },
    d: { type: 'int', min: 1, max: 3, default: 9 },
    'no good': { type: 'int' },
    g: { type: 'bool', default: false },
  };
  const { errors, metadata_valid } = validateSignalCode({ ...fine, params });
  assert.equal(metadata_valid, false);
  assert.deepEqual(errors, [
    'params.a.type must be one of int, float, bool, str, was "decimal"',
    'params.b.min must be at most max, was 5 with max 2',
    'params.c.default must be of type float, was "x"',
    'params.d.default must be 1..3, was 9',
    'params.no good: a name must consist of letters, digits and underscores',
  ]);
  assert.match(
    errorsOf({ params: JSON.parse('{"__proto__": {"type": "int"}}') }),
    /params.__proto__: a name must consist of/,
  );
});

test('code of one long run is checked in time that grows with its length', () => {
  const worst = [
    `@${'\n'.repeat(CODE_CHARACTERS_MAX - 1)}`,
    `${'\n'.repeat(2_000)}def a(${')'.repeat(20_000)}`,
    `import a${' '.repeat(CODE_CHARACTERS_MAX - 9)}!`,
    `from ${'.'.repeat(CODE_CHARACTERS_MAX - 5)}`,
  ];
  for (const code of worst) {
    const startMs = performance.now();
    assert.match(errorsOf({ code, rule_name: null }), /^code is not valid JavaScript/);
    assert.ok(performance.now() - startMs < 2_000, code.slice(0, 20)); // 9 s and more before
  }
  for (const code of ['  def a(b):\n    pass', 'from a.b import c', 'import numpy as np']) {
    assert.match(errorsOf({ code, rule_name: null }), /looks like Python/, code);
  }
});
