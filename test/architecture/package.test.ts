import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';
import { root } from '../support/tree.js';

test('the package carries what runs: no maps, no build information, no tests', () => {
  const listing = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 16 * 1024 * 1024,
  });
  const [{ files }] = JSON.parse(listing) as [{ files: { path: string }[] }];
  const paths = files.map(({ path }) => path);
  assert.ok(paths.includes('dist/library/index.js') && paths.includes('dist/library/index.d.ts'));
  assert.ok(paths.includes('prompts/assistant/rules.md'));
  assert.deepEqual(
    paths.filter((path) => /\.map$|tsbuildinfo|^dist\/test\//.test(path)),
    [],
  );
});
