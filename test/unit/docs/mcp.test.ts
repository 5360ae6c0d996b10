import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { toolRoute } from '../../../mcp/method-tools.js';
import { listedPrompts, promptText } from '../../../mcp/prompts.js';
import { methodsInSet, setNames } from '../../../mcp/tool-sets.js';
import { openToolbox, toolsPage } from '../../../mcp/toolbox.js';
import { root } from '../../support/tree.js';

const tools = openToolbox('test');
const names = tools.map(({ name }) => name);

test('the page lists every tool', () => {
  const page = readFileSync(join(root, 'docs/mcp.md'), 'utf8');
  assert.ok(page.includes(`\n${toolsPage()}\n`), 'build, then run node scripts/write-tools.mjs');
});

test('names are unique, and of the form that every client takes', () => {
  assert.deepEqual([...new Set(names)], names);
  assert.deepEqual(
    names.filter((name) => !/^[a-z][a-z_]{2,63}$/.test(name)),
    [],
  );
});

test('no argument of a tool stands in two places of its request', () => {
  for (const method of setNames.flatMap((set) => methodsInSet(set).map(({ method }) => method))) {
    const route = toolRoute(method);
    const places = [
      ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      ...Object.keys(route.query?.shape ?? {}),
      ...Object.keys(route.body?.shape ?? {}),
      ...['fields', 'idempotency_key', 'wait_seconds'],
    ];
    assert.deepEqual([...new Set(places)], places, method);
  }
});

test('every tool says what it does, and its hints agree', () => {
  for (const { name, title, description, input, output, hints } of tools) {
    assert.ok(title.length > 5 && description.length > 20, name);
    assert.equal(input.type, 'object');
    assert.equal(output.type, 'object');
    assert.ok(!(hints.readOnlyHint && hints.destructiveHint), name);
    if (/_(get|list)(_|$)/.test(name)) assert.equal(hints.readOnlyHint, true, name);
    if (/_delete$/.test(name)) assert.equal(hints.destructiveHint, true, name);
  }
});

test('prompts and descriptions name only tools that exist', () => {
  const given = { idea: 'x', strategy_id: 'x', experiment_id: 'x', backtest_id: 'x' };
  const prompts = listedPrompts.map(({ name }) => promptText(name, given).text);
  assert.ok(prompts.length >= 4);
  const said = [...prompts, ...tools.map(({ description }) => description)].join('\n');
  const sets = setNames.join('|');
  const named = [...said.matchAll(new RegExp(`\\b(?:${sets})_[a-z_]+`, 'g'))].map(([name]) => name);
  assert.ok(named.length > 15);
  assert.deepEqual(
    named.filter((name) => !names.includes(name) && !/_(?:id|json|config|pro|pro_calls)$/.test(name)),
    [],
  );
});
