import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commands } from '../../../../cli/command-table.js';
import { assertRefused, type CliRun, jsonOf, runCli, runCliBatch } from '../../../support/cli.js';
import { csvOf, fileOf } from '../../../support/data-fixtures.js';
import { textOf } from '../../../support/documents.js';
import { randomBars } from '../../../support/random.js';
import { newHome } from '../../../support/state.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { commandArgs, root } from '../../../support/tree.js';

const folder = temporaryFolder('cli');
const home = join(folder, 'home');
const at = (name: string) => join(folder, name);

const rule = { name: 'rsi_oversold', signal_type: 'TRIGGER', timeframe: '1h', params: { window: 2, threshold: 50 } };
const strategyFile = await fileOf(folder, 'often.json', JSON.stringify({ name: 'often', asset: 'BTC', entry: [rule] }));
const bars = randomBars({ seed: 21, barCount: 400 });
const barsFile = await fileOf(folder, 'bars.csv', csvOf(bars));
const ownBars = ['backtest', '--strategy', strategyFile, '--bars', barsFile, '--config', 'atr_long_weight=0'];

interface Result {
  readonly trades: readonly Readonly<Record<string, string | number>>[];
  readonly metrics: Readonly<Record<string, number>>;
  readonly equity?: readonly object[];
  readonly data: Readonly<Record<string, unknown>>;
  readonly execution_config: Readonly<Record<string, unknown>>;
  readonly denied_signals: readonly { readonly reason: string }[];
}

/** Runs a command that must succeed without a message on standard error, and returns its text. */
function humanOf(run: CliRun): string {
  assert.equal(run.code, 0, run.stderr);
  assert.match(run.stdout, /\n$/);
  assert.doesNotMatch(run.stdout, /NaN|undefined|\[object/);
  assert.ok(!run.stdout.includes('\u001b'), 'no colours in a pipe');
  return run.stdout;
}

test('backtest prints a summary for people and the whole result as JSON', async () => {
  const [human, json, curve] = await runCliBatch([ownBars, [...ownBars, '--json'], [...ownBars, '--json', '--curve']], {
    home,
  });
  assert.match(humanOf(human), /often on BTC 1h[\s\S]*Sharpe[\s\S]*exits: /);
  const result = jsonOf(json) as Result;
  assert.ok(result.trades.length > 3);
  assert.equal(result.metrics.total_trades, result.trades.length);
  assert.equal(result.metrics.sharpe, result.metrics.sharpe_ratio);
  assert.equal(result.equity, undefined);
  const { equity, ...same } = jsonOf(curve) as Result;
  assert.deepEqual([equity?.length, same], [400, result]);
});

test('a curve that would not be printed is refused', async () => {
  const [alone, several] = await runCliBatch(
    [
      [...ownBars, '--curve'],
      ['backtest', '--strategy', strategyFile, '--asset', 'BTC,ETH', '--json', '--curve'],
    ],
    { home },
  );
  assert.match(alone!.stderr, /curve needs --json; --equity writes the curve to a file/);
  assert.match(several!.stderr, /curve must be left out with several assets/);
  assert.deepEqual([alone!.code, several!.code], [2, 2]);
});

test('after a refused rule, backtest and audit print their answer and exit with code 2, unless it is allowed', async () => {
  const luck = { ...rule, name: 'rsi_oversol' };
  const file = await fileOf(folder, 'luck.json', JSON.stringify({ name: 'luck', asset: 'BTC', entry: [luck] }));
  const options = ['--strategy', file, '--bars', barsFile, '--config', 'atr_long_weight=0'];
  const trades = at('luck.csv');
  const refused = /^barline: refused entry rule rsi_oversol: .*did you mean rsi_oversold\?.*--allow-denied/;
  const [human, json, allowed, audit, audited] = await runCliBatch(
    [
      ['backtest', ...options, '--trades', trades],
      ['backtest', ...options, '--json'],
      ['backtest', ...options, '--json', '--allow-denied'],
      ['audit', ...options],
      ['audit', ...options, '--allow-denied'],
    ],
    { home },
  );
  assert.deepEqual([human!.code, json!.code, allowed!.code, audit!.code, audited!.code], [2, 2, 0, 2, 0]);
  assert.match(human!.stdout, /^refused entry rule rsi_oversol \(unknown_signal\)/m);
  assert.ok(existsSync(trades));
  for (const { stderr } of [json!, audit!]) assert.match(stderr, refused);
  assert.equal((JSON.parse(json!.stdout) as Result).denied_signals[0]!.reason, 'unknown_signal');
  assert.equal((jsonOf(allowed!) as Result).denied_signals[0]!.reason, 'unknown_signal');
  for (const { stdout } of [audit!, audited!])
    assert.match(stdout, /not audited \(rule refused\): entry rule rsi_oversol/);
});

test('settings come from files and assignments, and later ones win', async () => {
  const file = await fileOf(folder, 'costs.json', '{"fee_pct": 0.002, "slippage_pct": 0.001}');
  const run = (...config: string[]) => [...ownBars.slice(0, -1), ...config, '--json'];
  const [last, dotted] = await runCliBatch(
    [
      run('fee_pct=0.1', file, 'slippage_pct=0'),
      run('cooldown_config.1h.short_loss_limit=2', 'volatility_mode=atr', 'atr_cap_multiplier=null'),
    ],
    { home },
  );
  const { execution_config: first } = jsonOf(last) as Result;
  assert.deepEqual([first.fee_pct, first.slippage_pct], [0.002, 0]);
  const { execution_config: second } = jsonOf(dotted) as Result;
  assert.deepEqual(
    [second.cooldown_short_loss_limit, second.volatility_mode, second.atr_cap_multiplier],
    [2, 'atr', null],
  );
});

test('bars are imported into BARLINE_HOME, and listed, checked and traded only there', async () => {
  const [mine, other] = [at('mine'), at('other')];
  const importing = ['data', 'import', barsFile, '--asset', 'abc/usdt', '--exchange', 'Somewhere'];
  const trading = ['backtest', '--strategy', strategyFile, '--asset', 'ABC', '--interval', '4h', '--allow-denied'];
  const [added, list, check, backtest] = (await runCliBatch(
    [importing, ['data', 'list', '--json'], ['data', 'check'], [...trading, '--json']],
    { home: mine },
  )) as [CliRun, CliRun, CliRun, CliRun];
  assert.match(humanOf(added), /^added ABC 1h: 400 bars/);
  const entries = jsonOf(list) as { asset: string; interval: string; bars: number; isSample: boolean }[];
  assert.deepEqual(
    entries.filter(({ isSample }) => !isSample).map((entry) => [entry.asset, entry.interval, entry.bars]),
    [['ABC', '1h', 400]],
  );
  assert.match(humanOf(check), /^ABC 1h: ok$/m);
  assert.equal((jsonOf(backtest) as Result).data.aggregated_from, '1h');
  assert.ok(!existsSync(join(other, 'bars')));
  // A damaged file fails both checks.
  const [file = ''] = readdirSync(join(mine, 'bars')).filter((name) => name.endsWith('.parquet'));
  await fileOf(join(mine, 'bars'), file, 'no longer Parquet');
  for (const run of await runCliBatch([['data', 'check'], ['doctor']], { home: mine })) {
    assert.equal(run.code, 2);
    assert.match(run.stderr, /^barline: 1 .+failed.*\n$/);
  }
});

test('a mistyped name gets the nearest one, a bad argument the accepted values, and both code 2', async () => {
  const stored = ['backtest', '--strategy', strategyFile, '--asset', 'BTC'];
  const cases: [args: string[], pattern: RegExp][] = [
    [[], /\S/],
    [['data'], /\S/],
    [['backtets'], /unknown command 'backtets'.*backtest/],
    [[...ownBars, '--intervall', '1h'], /unknown option '--intervall'.*--interval/],
    [[...ownBars, 'fee_pc=0'], /"fee_pc" is not a field of execution_config, did you mean fee_pct\?/],
    [['backtest'], /^barline: --strategy is required$/m],
    [['signals', 'list', '--category', 'tren'], /category must be one of .*was "tren", did you mean trend\?/],
    [['backtest', '--strategy', at('nowhere.json')], /strategy ".*nowhere\.json" does not exist/],
    [stored, /interval is required/],
    [[...stored, '--interval', '1d', '--start', '2024-02-30'], /start must be a date such as .*"2024-02-30"/],
    [[...ownBars, '--trades', at('trades.xlsx')], /must end in \.csv, \.parquet, \.arrow.*trades\.xlsx/],
    [[...ownBars, '--report', at('no/such/page.html')], /there is no folder/],
    [['data', 'import', at('none-*.csv'), '--asset', 'ABC'], /^barline: no file matches ".*none-\*\.csv"$/m],
  ];
  const runs = await runCliBatch(
    cases.map(([args]) => args),
    { home },
  );
  for (const [i, [args, pattern]] of cases.entries()) assertRefused(runs[i], pattern, args.join(' '));
});

test('help explains a topic by its name, and names the nearest ones of another', async () => {
  const [signal, unknown, json, leverage] = (await runCliBatch(
    [
      ['help', 'rsi_oversold'],
      ['help', 'sharp ratios'],
      ['help', 'alpha', '--json'],
      ['help', 'leverage'],
    ],
    { home },
  )) as [CliRun, CliRun, CliRun, CliRun];
  assert.match(humanOf(signal), /^rsi_oversold\n[\s\S]*`window`: whole number 2..100, default `14`/);
  assert.deepEqual([unknown.code, unknown.stdout], [2, '']);
  assert.match(unknown.stderr, /^barline: no topic "sharp ratios"; nearest: .*metric-sharpe_ratio.*\n$/);
  const { slug, others } = jsonOf(json) as { slug: string; others: string[] };
  assert.deepEqual([slug, others], ['metric-alpha', ['alpha']]);
  // A setting and a word of one name: neither hides the other.
  assert.match(humanOf(leverage), /^leverage\n[\s\S]*\nPage: docs\/reference\/settings\.md#leverage\n\nLeverage\n/);
});

test('every setting is listed', async () => {
  const [json] = await runCliBatch([['config', '--json']], { home });
  const { run, environment } = jsonOf(json!) as Readonly<Record<'run' | 'environment', { readonly name: string }[]>>;
  const documented = textOf('docs/reference/settings.md').matchAll(/^## (\S+)$/gm);
  assert.deepEqual(
    [...documented].map(([, name]) => name),
    [...run.map(({ name }) => name), 'preset', ...environment.map(({ name }) => name)],
  );
});

test('the help of a real process, which loads no command, lists each', async () => {
  const { stdout } = await runCli(['--help'], { home });
  const listed = (stdout.split('Commands:\n')[1]?.split('\n\n')[0] ?? '').matchAll(/^ {2}(\w+)/gm);
  assert.deepEqual(
    [...listed].map(([, name]) => name),
    Object.keys(commands),
  );
});

test('a reader that closes the pipe early causes no failure', async () => {
  const script = 'set -o pipefail; "$0" "$@" signals list --json | head -c 10';
  const child = spawn('bash', ['-c', script, process.execPath, ...commandArgs()], {
    cwd: root,
    env: { ...process.env, BARLINE_HOME: home, NODE_TEST_CONTEXT: '' },
  });
  let stderr = '';
  let stdout = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.deepEqual([code, stderr, stdout.length], [0, '', 10]);
});

const RULES = 'Buy BTC daily when RSI(14) crosses above 40, sell when it crosses below 60, stop 4 %, 2022 to 2024';
const SAID_BACK =
  /^I understand: BTC 1d, buy when crosses_above\(rsi\(close, 14\), 40\), sell when crosses_below\(rsi\(close, 14\), 60\)/m;
const sessionIn = (text: string): string => /--session ([0-9a-f-]{36})/.exec(text)?.[1] ?? '';

test('lines of a pipe are a conversation, which later calls go on with', async () => {
  const home = await newHome();
  const lines = [RULES, '', 'yes', 'yes', 'run it', 'what was the worst trade?', 'exit', 'this is not read'];
  const { code, stdout, stderr } = await runCli(['chat'], { home, stdin: `${lines.join('\n')}\n` });
  assert.equal(code, 0, stderr);
  const answers = [
    SAID_BACK,
    /^For BTC 1d/m,
    SAID_BACK,
    /^I ran: BTC 1d.*stop 4 %, from 2022-01-01 to 2024-12-31/m,
    /^The worst trade of candidate 1: /m,
  ];
  let from = 0;
  for (const answer of answers) {
    const found = answer.exec(stdout.slice(from));
    assert.ok(found, `${answer} after ${from} of ${stdout}`);
    from += found.index + 1;
  }
  assert.doesNotMatch(stdout, /^> |not read/m, 'a pipe has no prompt, and nothing is read after exit');
  const session = sessionIn(stderr);
  assert.notEqual(session, '', stderr);
  const later = await runCli(['chat', 'and the drawdown?', '--session', session], { home });
  assert.match(later.stdout, /^The largest drawdown of candidate 1 is [\d.]+ %, from /);
});
