import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCli } from '../../support/cli.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder('inputs');
const home = join(folder, 'home');

const file = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

test('a JSON input above its bound is refused before it is parsed', async () => {
  const strategy = file('strategy.json', ' '.repeat(4 * 1024 * 1024 + 1));
  const requests = file('requests.json', ' '.repeat(64 * 1024 * 1024 + 1));
  const rule = (what: string, most: number) => `barline: ${what} must have at most ${most} bytes, has more`;
  const cases = [
    [['backtest', '--strategy', strategy], 'strategy', 4_194_304],
    [['sweep', strategy], 'plan', 4_194_304],
    [['backtest', '--strategy', 'examples/btc-trend.json', '--config', strategy], 'config', 4_194_304],
    [['simulate', requests], 'requests', 67_108_864],
    [['replay', requests], 'run', 67_108_864],
  ] as const;
  for (const [args, what, most] of cases) {
    const { code, stderr } = await runCli(args, { home });
    assert.equal(code, 2, stderr);
    assert.ok(stderr.includes(rule(what, most).slice(9 + what.length)) && stderr.includes(what), stderr);
  }
  const { code, stderr } = await runCli(['sweep', '-'], { home, stdin: ' '.repeat(4 * 1024 * 1024 + 1) });
  assert.equal(code, 2, stderr);
  assert.match(stderr, /plan standard input must have at most 4194304 bytes, has more/);
});

test('the largest JSON inputs are read', async () => {
  const { stderr } = await runCli(['simulate', file('blank.json', `[${' '.repeat(64 * 1024 * 1024 - 2)}]`)], { home });
  assert.doesNotMatch(stderr, /must have at most \d+ bytes/);
});
