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

test('a number too large for a double is refused by name in every file and setting', async () => {
  const strategy = ['--strategy', 'examples/btc-trend.json'];
  const cases = [
    [['backtest', ...strategy, '--config', 'initial_balance=1e999'], 'initial_balance'],
    [['backtest', ...strategy, '--config', file('large.json', '{"initial_balance": 1e999}')], 'config.initial_balance'],
    [
      ['backtest', '--strategy', file('deep.json', '{"entry": [{"params": {"n": -1e999}}]}')],
      'strategy.entry.0.params.n',
    ],
    [['portfolio', file('weights.json', '{"members": [{"weight": 1e999}]}')], 'portfolio.members.0.weight'],
    [['sweep', file('plan.json', '{"seed": 1e999}')], 'plan.seed'],
    [['simulate', file('requests.json', '[{"config": {"fee_pct": 1e999}}]')], 'requests.0.config.fee_pct'],
  ] as const;
  for (const [args, field] of cases) {
    const { code, stderr } = await runCli(args, { home });
    assert.equal(code, 2, stderr);
    assert.match(stderr, new RegExp(`${field} must be a finite number, was -?Infinity`));
  }
});
