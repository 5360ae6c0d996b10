import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { root } from '../../support/tree.js';
import { orderExamples, orderTable } from './order-examples.js';

const page = readFileSync(join(root, 'docs/orders.md'), 'utf8');
const rules = [...new Set(orderExamples.map(({ id }) => id.slice(0, id.indexOf(':'))))];

for (const rule of rules) {
  test(`the worked examples of the rule ${rule} come out as the page prints them`, () => {
    const table = orderTable(rule);
    assert.ok(page.includes(table), `docs/orders.md must have\n${table}`);
  });
}

test('every table of worked examples on the page is one that is run', () => {
  assert.equal(page.match(/^\| example \|/gm)?.length, rules.length);
});
