import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { parts, typescriptBelow } from '../support/sources.js';
import { root } from '../support/tree.js';

/** Short lines are easier to read. Code has the 120 columns of the formatter. */
const COLUMNS_MAX = 100;

/** A line that holds only a comment. A comment that a tool reads has to stay on one line. */
const isProse = (line: string): boolean => /^\s*(\/\/|\/\*|\* |\*\/)/.test(line) && !line.includes('biome-ignore');

test(`no comment is wider than ${COLUMNS_MAX} columns`, () => {
  const written = typescriptBelow(parts).filter((file) => !file.includes('/generated/'));
  const wide = written.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, i) => (isProse(line) && line.length > COLUMNS_MAX ? [`${file}:${i + 1}`] : [])),
  );
  assert.deepEqual(wide, []);
});
