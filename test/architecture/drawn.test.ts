import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { crossings, partOf } from '../support/imports.js';
import { root } from '../support/tree.js';

const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

test('the drawing of the rooms has exactly the arrows that the imports have', () => {
  const [, picture = ''] = /## The rooms\s+```mermaid\n(.*?)```/s.exec(page) ?? [];
  const drawn = [...picture.matchAll(/(\w+) --> (\w+)/g)].map(([, from, to]) => `${from} -> ${to}`);
  const imported = new Set(crossings.map(({ from, target }) => `${partOf(from)} -> ${partOf(target)}`));
  assert.deepEqual(drawn.sort(), [...imported].sort());
});
