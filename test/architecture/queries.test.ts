import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { parts, typescriptBelow } from '../support/sources.js';
import { root } from '../support/tree.js';

test('no query counts with a filter in a window over all rows, which costs rows squared', () => {
  const costly = typescriptBelow(parts).filter((file) =>
    /FILTER \(.*?\) OVER \(\)/.test(readFileSync(join(root, file), 'utf8')),
  );
  assert.deepEqual(costly, []);
});
