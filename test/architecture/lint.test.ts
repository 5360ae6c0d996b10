import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test from 'node:test';
import { temporaryFolder } from '../support/temporary-folder.js';
import { root } from '../support/tree.js';

const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');

test('the linter ignores reports and records in the root and checks pages among the sources', async () => {
  const checkout = temporaryFolder('lint');
  for (const settings of ['biome.json', '.gitignore']) await copyFile(join(root, settings), join(checkout, settings));
  await mkdir(join(checkout, 'report'));
  const unformatted = '<html><body><p   >Report<script>var a=1</script></body></html>';
  for (const record of ['run.json', 'package.json']) await writeFile(join(checkout, record), '{"a":   1}');
  for (const page of ['run.html', 'my sweep.html', 'report/page.html'])
    await writeFile(join(checkout, page), unformatted);
  const { status, stdout, stderr } = spawnSync(process.execPath, [biome, 'check', '.'], {
    cwd: checkout,
    encoding: 'utf8',
  });
  const said = stdout + stderr;
  assert.equal(status, 1, said);
  assert.match(said, /report\/page\.html/);
  assert.match(said, /package\.json/);
  assert.doesNotMatch(said, /run\.html|sweep\.html|run\.json/);
});
