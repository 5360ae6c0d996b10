import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCliBatch } from '../../support/cli.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { root } from '../../support/tree.js';

/** What people bring to the commands, and what they are told. */
const folder = temporaryFolder('brought');
const home = join(folder, 'home');
const dip = await readFile(join(root, 'examples/dip.json'), 'utf8');

const file = async (name: string, content: string | Uint8Array): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
};

test('a strategy in UTF-16 or with a byte order mark is the same strategy', async () => {
  const paths = await Promise.all([
    file('plain.json', dip),
    file('marked.json', `\uFEFF${dip}`),
    file('little.json', Buffer.from(`\uFEFF${dip}`, 'utf16le')),
    file('big.json', Buffer.from(dip, 'utf16le').swap16()),
  ]);
  const window = ['--interval', '1h', '--start', '2025-01-01', '--no-record', '--json'];
  const runs = await runCliBatch(
    paths.map((path) => ['backtest', '--strategy', path, ...window]),
    { home },
  );
  const [plain, ...others] = runs.map(({ code, stdout, stderr }) => {
    assert.equal(code, 0, stderr);
    return (JSON.parse(stdout) as { readonly trades: unknown }).trades;
  });
  for (const other of others) assert.deepEqual(other, plain);
});
