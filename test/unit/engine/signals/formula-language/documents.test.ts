import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { indicatorFunctions } from '../../../../../engine/indicators/functions.js';
import { root } from '../../../../support/tree.js';

test('the guide lists every function with its arguments', () => {
  const guide = readFileSync(join(root, 'docs/formulas.md'), 'utf8');
  const listed = [...guide.matchAll(/^\| `(\w+\([^`]*\))` \| (.*) \|$/gm)].map(
    ([, call, value]) => `${call}: ${value}`,
  );
  const table = listed.slice(listed.findIndex((line) => line.startsWith('sma(')));
  const expected = [...indicatorFunctions].map(([name, { takesColumn, params, meaning }]) => {
    const names = params.map((param) => param.name);
    return `${name}(${(takesColumn ? ['x', ...names] : names).join(', ')}): ${meaning}`;
  });
  assert.deepEqual(table, expected);
});
