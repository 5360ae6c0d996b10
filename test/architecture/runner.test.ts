import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../support/temporary-folder.js';
import { root } from '../support/tree.js';

/** `npm test` does not follow promises to their tests, and must fail all the same. */

const untracked = pathToFileURL(join(root, 'scripts/untracked-promises.mjs'));

/** The exit code and the output of a process with one test of this body. */
function runTest(body: string) {
  const folder = temporaryFolder('runner');
  const file = join(folder, 'one.test.mjs');
  writeFileSync(
    file,
    `import '${untracked.href}';\nimport test from 'node:test';\ntest('one', async () => {${body}});\n`,
  );
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const { status, stdout } = spawnSync(process.execPath, ['--test', file], { env, encoding: 'utf8' });
  return { status, stdout };
}

const wait = 'await new Promise((done) => setTimeout(done, 20));';

const uncaught: readonly [what: string, body: string][] = [
  ['a rejection that nothing awaits', `void Promise.reject(new Error('left behind')); ${wait}`],
  ['an error after the last test', `setTimeout(() => { throw new Error('left behind'); }, 20);`],
];
for (const [what, body] of uncaught) {
  test(`${what} fails its process, which prints it`, () => {
    const { status, stdout } = runTest(body);
    assert.equal(status, 1, stdout);
    assert.match(stdout, /left behind/);
  });
}
