import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { commands } from '../../../cli/command-table.js';
import { jsonOf, runCliBatch } from '../../support/cli.js';

const home = mkdtempSync(join(tmpdir(), 'barline-cli-'));
after(() => rmSync(home, { recursive: true, force: true }));

test('config lists settings with value, default and source, and hides secrets', async () => {
  const env = { BARLINE_HTTP_PORT: '8080', BARLINE_SECRET: 'x'.repeat(40) };
  const [json, human] = await runCliBatch([['config', '--json'], ['config']], { home, env });
  const { environment, run } = jsonOf(json!) as { environment: { name: string }[]; run: { name: string }[] };
  const of = (wanted: string) => {
    const found = environment.find(({ name }) => name === wanted) as Record<string, unknown> | undefined;
    const { name, value, default: usual, source } = found ?? {};
    return { name, value, default: usual, source };
  };
  const port = { name: 'BARLINE_HTTP_PORT', value: 8080, default: 5001, source: 'environment' };
  assert.deepEqual(of('BARLINE_HTTP_PORT'), port);
  assert.deepEqual(of('BARLINE_SECRET'), {
    name: 'BARLINE_SECRET',
    value: '(set)',
    default: null,
    source: 'environment',
  });
  assert.ok(run.some(({ name }) => name === 'trading_days_per_year'));
  assert.match(human!.stdout, /^BARLINE_HTTP_PORT +8080 +5001 +environment$/m);
  assert.doesNotMatch(human!.stdout + json!.stdout, /xxxx/);
});

const typed: Readonly<Record<string, readonly string[]>> = {
  'barline backt': ['backtest'],
  'barline data im': ['import'],
  'barline data columns ad': ['add'],
  'barline data import --ded': ['--dedupe'],
  'barline signals show rsi_overs': ['rsi_oversold'],
  'barline completion z': ['zsh'],
  'barline backtest --strategy --js': [], // a file stands there
};

/** What each line is completed to, asked of the shell itself. */
const askers: Readonly<Record<string, (script: string, line: string) => string>> = {
  bash: (script, line) =>
    `source ${script}; COMP_WORDS=(${line}); COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 )); _barline; echo "\${COMPREPLY[@]}"`,
  zsh: (script, line) =>
    `compdef() { :; }; _files() { :; }; compadd() { print -r -- \${(M)\${(P)2}:#\${words[CURRENT]}*}; };` +
    ` source ${script}; words=(${line}); CURRENT=$#words; _barline`,
  fish: (script, line) =>
    `source ${script}; complete -C '${line}' | string match -v '*/' | string replace -r '\\t.*' ''`,
};

for (const [shell, ask] of Object.entries(askers)) {
  const skip = spawnSync(shell, ['-c', 'true']).status === 0 ? false : `${shell} is not installed`;
  test(`${shell} completes commands, options, choices and names of signals`, { skip }, async () => {
    const [run] = await runCliBatch([['completion', shell]], { home });
    const script = join(home, `completion.${shell}`);
    writeFileSync(script, run!.stdout);
    for (const [line, expected] of Object.entries(typed)) {
      const { stdout, stderr } = spawnSync(shell, ['-c', ask(script, line)], { cwd: home, encoding: 'utf8' });
      assert.equal(stderr, '', line);
      assert.deepEqual(stdout.split(/\s+/).filter(Boolean), expected, line);
    }
  });
}

const subcommands = (help: string): string[] =>
  [...(help.split('Commands:\n')[1] ?? '').split('\n\n')[0]!.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => name);

test('the help of each command has examples', async () => {
  const below = ['signals', 'data', 'keys', 'data columns'];
  const seen: string[] = [];
  for (let paths = ['', ...Object.keys(commands)]; paths.length > 0; ) {
    const runs = await runCliBatch(
      paths.map((path) => [...path.split(' ').filter(Boolean), '--help']),
      { home },
    );
    for (const [i, { stdout }] of runs.entries()) assert.match(stdout, /^Examples:\n {2}.*\bbarline /m, paths[i]);
    seen.push(...paths);
    paths = paths.flatMap((path, i) =>
      below.includes(path) ? subcommands(runs[i]!.stdout).map((name) => `${path} ${name}`) : [],
    );
  }
  assert.ok(seen.includes('data columns add') && seen.length > Object.keys(commands).length + 10, String(seen));
});
