import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { registries } from '../../../server/open-knowledge.js';
import { referenceEntries, referenceFiles } from '../../../service/knowledge/index.js';
import { root } from '../../support/tree.js';

/** The reference is made from the tables of the code, so that it cannot say anything else. */

const folder = join(root, 'docs/reference');

test('docs/reference is what the registries say; npm run reference writes it', () => {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const files = referenceFiles(referenceEntries(registries()), read);
  assert.ok(files.length > 8);
  assert.deepEqual(readdirSync(folder).sort(), files.map(({ name }) => name).sort());
  const stale = files.filter(({ name, content }) => read(name) !== content);
  assert.deepEqual(
    stale.map(({ name }) => name),
    [],
    'run npm run reference',
  );
});
