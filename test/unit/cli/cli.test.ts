import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { runCli, runCliBatch } from '../../support/cli.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { root } from '../../support/tree.js';

/** Files that people bring to the commands, and how they are read or refused. */

const folder = temporaryFolder('inputs');
const home = join(folder, 'home');

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

test('a strategy in UTF-16 or with a byte order mark is the same strategy', async () => {
  const dip = readFileSync(join(root, 'examples/dip.json'), 'utf8');
  const paths = [
    file('plain.json', dip),
    file('marked.json', `\uFEFF${dip}`),
    file('little.json', Buffer.from(`\uFEFF${dip}`, 'utf16le')),
  ];
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

test('a JSON input above its bound is refused before it is parsed', async () => {
  const strategy = file('strategy.json', ' '.repeat(4 * 1024 * 1024 + 1));
  const requests = file('requests.json', ' '.repeat(64 * 1024 * 1024 + 1));
  const cases = [
    [['backtest', '--strategy', strategy], 'strategy', 4_194_304],
    [['sweep', strategy], 'plan', 4_194_304],
    [['simulate', requests], 'requests', 67_108_864],
  ] as const;
  const runs = await runCliBatch(
    cases.map(([args]) => args),
    { home },
  );
  for (const [i, [, what, most]] of cases.entries()) {
    const { code, stderr } = runs[i]!;
    assert.equal(code, 2, stderr);
    assert.match(stderr, new RegExp(`^barline: ${what} .*must have at most ${most} bytes, has more`));
  }
  const { code, stderr } = await runCli(['sweep', '-'], { home, stdin: ' '.repeat(4 * 1024 * 1024 + 1) });
  assert.equal(code, 2, stderr);
  assert.match(stderr, /plan standard input must have at most 4194304 bytes, has more/);
});

test('a number too large for a double is refused by name in every file and setting', async () => {
  const strategy = ['--strategy', 'examples/btc-trend.json'];
  const cases = [
    [['backtest', ...strategy, '--config', 'initial_balance=1e999'], 'initial_balance'],
    [['backtest', ...strategy, '--config', file('large.json', '{"initial_balance": 1e999}')], 'config.initial_balance'],
    [
      ['backtest', '--strategy', file('deep.json', '{"entry": [{"params": {"n": -1e999}}]}')],
      'strategy.entry.0.params.n',
    ],
    [['sweep', file('plan.json', '{"seed": 1e999}')], 'plan.seed'],
  ] as const;
  const runs = await runCliBatch(
    cases.map(([args]) => args),
    { home },
  );
  for (const [i, [, field]] of cases.entries()) {
    const { code, stderr } = runs[i]!;
    assert.equal(code, 2, stderr);
    assert.match(stderr, new RegExp(`${field} must be a finite number, was -?Infinity`));
  }
});
