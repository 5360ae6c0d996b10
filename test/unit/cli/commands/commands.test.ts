import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { tableFromIPC } from 'apache-arrow';
import { commands } from '../../../../cli/command-table.js';
import { signals } from '../../../../engine/signals/index.js';
import { assertRefused, type CliRun, jsonOf, runCli, runCliBatch } from '../../../support/cli.js';
import { csvOf, fileOf, queryParquet } from '../../../support/data-fixtures.js';
import { textOf } from '../../../support/documents.js';
import { randomBars, withOnchain } from '../../../support/random.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { commandArgs, goldenPath, root } from '../../../support/tree.js';

const folder = temporaryFolder('cli');
const home = join(folder, 'home');
const at = (name: string) => join(folder, name);

const golden = JSON.parse(readFileSync(goldenPath('cli/w01-request.json'), 'utf8')) as {
  requests: object[];
  equity: number[];
  trade: Record<string, unknown>;
};

const rule = { name: 'rsi_oversold', signal_type: 'TRIGGER', timeframe: '1h', params: { window: 2, threshold: 50 } };
const strategyFile = await fileOf(folder, 'often.json', JSON.stringify({ name: 'often', asset: 'BTC', entry: [rule] }));
const bars = randomBars({ seed: 21, barCount: 400 });
const barsFile = await fileOf(folder, 'bars.csv', csvOf(bars));
const chainFile = await fileOf(folder, 'chain.csv', csvOf(withOnchain(bars, 3)));
const requestsFile = await fileOf(
  folder,
  'requests.json',
  JSON.stringify([{ name: 'exchange_net_outflow', params: { window: 3 } }, { name: 'doji' }]),
);
const simulateFile = await fileOf(folder, 'simulate.json', JSON.stringify(golden.requests));
const ownBars = ['backtest', '--strategy', strategyFile, '--bars', barsFile, '--config', 'atr_long_weight=0'];

interface Result {
  readonly trades: readonly Readonly<Record<string, string | number>>[];
  readonly metrics: Readonly<Record<string, number>>;
  readonly equity: readonly object[];
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

function assertClose(actual: unknown, expected: unknown, label: string): void {
  if (typeof expected !== 'number') assert.equal(actual, expected, label);
  else {
    // Half a digit where ten decimals are printed.
    const tolerance = Math.max(1e-9 * Math.abs(expected), 5.1e-11);
    assert.ok(Math.abs((actual as number) - expected) <= tolerance, `${label}: ${actual} is not ${expected}`);
  }
}

test('backtest prints a summary for people and the whole result as JSON', async () => {
  const [human, json, bundled] = await runCliBatch(
    [
      ownBars,
      [...ownBars, '--json'],
      ['backtest', '--strategy', 'examples/btc-trend.json', '--interval', '4h', '--start', '2024-01-01', '--json'],
    ],
    { home },
  );
  assert.match(humanOf(human), /often on BTC 1h[\s\S]*Sharpe[\s\S]*exits: /);
  const result = jsonOf(json) as Result;
  assert.ok(result.trades.length > 3);
  assert.equal(result.metrics.total_trades, result.trades.length);
  assert.equal(result.metrics.sharpe, result.metrics.sharpe_ratio);
  assert.equal(result.equity.length, 400);
  const { data } = jsonOf(bundled) as Result;
  assert.deepEqual([data.source, data.aggregated_from], ['sample', '1h']);
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

test('--lookback-months, --start and --end choose the bars', async () => {
  const run = (...window: string[]) => [
    'backtest',
    '--strategy',
    strategyFile,
    '--interval',
    '1d',
    '--allow-denied',
    '--json',
    ...window,
  ];
  const [months, dates, both] = await runCliBatch(
    [
      run('--lookback-months', '2'),
      run('--start', '2024-02-01', '--end', '2024-02-29'),
      run('--lookback-months', '1', '--end', '2024-03-30'),
    ],
    { home },
  );
  const barsOf = (each: CliRun) => (jsonOf(each) as Result).data.tradable_bars;
  assert.deepEqual([barsOf(months), barsOf(dates), barsOf(both)], [62, 29, 31]);
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

test('--trades writes the same trades as CSV, Parquet and Arrow', async () => {
  const paths = ['csv', 'parquet', 'arrow'].map((extension) => at(`trades.${extension}`));
  const runs = await runCliBatch(
    [...paths.map((path) => [...ownBars, '--json', '--trades', path]), [...ownBars, '--equity', at('equity.csv')]],
    { home },
  );
  const { trades } = jsonOf(runs[0]) as Result;
  for (const run of runs.slice(0, 3)) assert.equal(run.stdout, runs[0].stdout);
  assert.ok(trades.length > 3);

  const rows = (await readFile(paths[0]!, 'utf8')).trimEnd().split('\n');
  assert.deepEqual(rows[0]!.split(',').sort(), Object.keys(trades[0]!).sort());
  assert.equal(rows.length, 1 + trades.length);
  const ids = trades.map(({ trade_id }) => trade_id);
  assert.deepEqual((await queryParquet(paths[1]!, 'trade_id')).flat(), ids);
  assert.deepEqual(
    tableFromIPC(readFileSync(paths[2]!))
      .toArray()
      .map(({ trade_id }) => trade_id),
    ids,
  );
  const equity = (await readFile(at('equity.csv'), 'utf8')).trimEnd().split('\n');
  assert.equal(equity.length, 401);
});

test('simulate agrees with the worked example, from standard input and from a file', async () => {
  const stdin = JSON.stringify(golden.requests);
  const [piped, file] = await Promise.all([
    runCli(['simulate', '-'], { home, stdin }),
    runCli(['simulate', simulateFile], { home }),
  ]);
  assert.equal(file.stdout, piped.stdout);
  const { w1 } = jsonOf(piped) as { w1: Result & { equity: number[]; denied_entries: unknown[] } };
  assert.deepEqual([w1.denied_entries, w1.denied_signals, w1.trades.length], [[], [], 1]);
  assert.equal(w1.equity.length, golden.equity.length);
  for (const [i, value] of golden.equity.entries()) assertClose(w1.equity[i], value, `equity ${i}`);
  for (const [name, value] of Object.entries(golden.trade)) assertClose(w1.trades[0][name], value, name);
  assertClose(w1.metrics.ending_balance, golden.equity.at(-1), 'ending_balance');
});

test('signals are listed, shown and evaluated, for people and as JSON', async () => {
  const [list, listJson, category, show, showJson, evaluated, evaluatedJson] = await runCliBatch(
    [
      ['signals', 'list'],
      ['signals', 'list', '--json'],
      ['signals', 'list', '--category', 'onchain', '--json'],
      ['signals', 'show', 'doji'],
      ['signals', 'show', 'doji', '--json'],
      ['signals', 'evaluate', '--bars', chainFile, '--requests', requestsFile],
      ['signals', 'evaluate', '--bars', chainFile, '--requests', requestsFile, '--json'],
    ],
    { home },
  );
  assert.match(humanOf(list), new RegExp(`^${signals.length} signals$`, 'm'));
  assert.deepEqual(
    (jsonOf(listJson) as { name: string }[]).map(({ name }) => name),
    signals.map(({ name }) => name),
  );
  const onchain = jsonOf(category) as { category: string }[];
  assert.ok(onchain.length > 0 && onchain.every((signal) => signal.category === 'onchain'));
  assert.match(humanOf(show), /^doji_trigger \(TRIGGER, patterns/);
  assert.equal((jsonOf(showJson) as { name: string }).name, 'doji_trigger');
  assert.match(humanOf(evaluated), /^exchange_net_outflow \{"window":3\}: true on \d+ bars of 400$/m);
  const answers = jsonOf(evaluatedJson) as { name: string; bars: number[]; note?: string }[];
  assert.deepEqual(
    answers.map(({ name, note }) => [name, note]),
    [
      ['exchange_net_outflow', undefined],
      ['doji_trigger', undefined],
    ],
  );
  for (const { bars: on } of answers) assert.ok(on.length > 0 && on.every((bar, i) => i === 0 || bar > on[i - 1]));
});

test('bars are imported into BARLINE_HOME, and listed, checked and traded only there', async () => {
  const [mine, other] = [at('mine'), at('other')];
  const options = { home: mine };
  const importing = ['data', 'import', barsFile, '--asset', 'abc/usdt', '--exchange', 'Somewhere'];
  const [added, again, list, listJson, check, checkJson, backtest, doctor, doctorJson] = await runCliBatch(
    [
      importing,
      [...importing, '--json'],
      ['data', 'list'],
      ['data', 'list', '--json'],
      ['data', 'check'],
      ['data', 'check', '--json'],
      ['backtest', '--strategy', strategyFile, '--asset', 'ABC', '--interval', '4h', '--allow-denied', '--json'],
      ['doctor'],
      ['doctor', '--json'],
    ],
    options,
  );
  assert.match(humanOf(added), /^added ABC 1h: 400 bars/);
  assert.equal((jsonOf(again) as { status: string }).status, 'unchanged');
  assert.match(humanOf(list), /^ABC +1h +400 .*imported/m);
  const entries = jsonOf(listJson) as { asset: string; interval: string; bars: number; isSample: boolean }[];
  assert.deepEqual(
    entries.filter(({ isSample }) => !isSample).map((entry) => [entry.asset, entry.interval, entry.bars]),
    [['ABC', '1h', 400]],
  );
  assert.match(humanOf(check), /^ABC 1h: ok$/m);
  const checked = jsonOf(checkJson) as { problems: unknown[] }[];
  assert.ok(checked.length >= entries.length, 'series, and columns added to them');
  assert.ok(checked.every(({ problems }) => problems.length === 0));
  assert.equal((jsonOf(backtest) as Result).data.aggregated_from, '1h');
  assert.match(humanOf(doctor), /^ok {3}bars: 9 stored files read and verified$/m);
  const findings = jsonOf(doctorJson) as { isOk: boolean }[];
  assert.ok(findings.length > 3 && findings.every(({ isOk }) => isOk));
  const [elsewhere] = await runCliBatch([['data', 'list', '--json']], { home: other });
  const listedElsewhere = jsonOf(elsewhere) as { isSample: boolean }[];
  assert.equal(listedElsewhere.length, entries.length - 1);
  assert.ok(listedElsewhere.every(({ isSample }) => isSample));
  assert.ok(!existsSync(join(other, 'bars')));
  assert.deepEqual(readdirSync(mine), ['bars', 'runs', 'same-bars']);
});

test('data check and doctor fail on a damaged file', async () => {
  const damaged = at('damaged');
  await runCliBatch([['data', 'import', barsFile, '--asset', 'ABC']], { home: damaged });
  const [file] = readdirSync(join(damaged, 'bars')).filter((name) => name.endsWith('.parquet'));
  await fileOf(join(damaged, 'bars'), file, 'no longer Parquet');
  const [check, doctor, backtest] = await runCliBatch(
    [['data', 'check'], ['doctor'], ['backtest', '--strategy', strategyFile, '--asset', 'ABC', '--interval', '1h']],
    { home: damaged },
  );
  for (const run of [check, doctor]) {
    assert.equal(run.code, 2);
    assert.match(run.stderr, /^barline: 1 .+failed.*\n$/);
  }
  assertRefused(backtest, /ABC-1h/);
});

test('demo runs on the bundled bars, writes its tear sheet and sweeps', async () => {
  const page = at('demo.html');
  const [demo] = await runCliBatch([['demo', '--report', page]], { home });
  assert.match(humanOf(demo), /^BTC trend on BTC /);
  assert.match(demo.stdout, /64 of 64 runs of examples/);
  const html = await readFile(page, 'utf8');
  assert.match(html, /^<!doctype html>/i);
  assert.match(html, /BTC trend/);
  assert.match(await readFile(at('demo-sweep.html'), 'utf8'), /Crosses above a long average/);
  const [id] = /bt_[0-9a-f]{16}/.exec(demo.stdout)!;
  const [replayed, compared] = await runCliBatch(
    [
      ['replay', id],
      ['compare', id, id],
    ],
    { home },
  );
  assert.match(humanOf(replayed!), /reproduced byte for byte/);
  assert.match(humanOf(compared!), /^strategy +BTC trend +BTC trend$/m);
});

test('a mistyped name gets the nearest one, a bad argument the accepted values, and both code 2', async () => {
  const stored = ['backtest', '--strategy', strategyFile, '--asset', 'BTC'];
  const cases: [args: string[], pattern: RegExp][] = [
    [['backtets'], /unknown command 'backtets'.*backtest/],
    [['signals', 'shw', 'doji'], /unknown command 'shw'.*show/],
    [[...ownBars, '--intervall', '1h'], /unknown option '--intervall'.*--interval/],
    [[...ownBars, 'fee_pc=0'], /"fee_pc" is not a field of execution_config, did you mean fee_pct\?/],
    [
      ['backtest', '--strategy', strategyFile, '--asset', 'BTX', '--interval', '1h'],
      /no bars of BTX, did you mean BTC\?/,
    ],
    [['backtest'], /^barline: --strategy is required$/m],
    [['backtest', '--strateg', 'x'], /unknown option '--strateg' \(Did you mean --strategy\?\)/],
    [['signals', 'list', '--category', 'tren'], /category must be one of .*was "tren", did you mean trend\?/],
    [['simulate'], /missing required argument 'file'/],
    [['simulate', simulateFile, 'more'], /too many arguments/],
    [['backtest', '--strategy', at('nowhere.json')], /strategy ".*nowhere\.json" does not exist/],
    [stored, /interval is required/],
    [[...stored, '--interval', '1d', '--start', '2024-02-30'], /start must be a date such as .*"2024-02-30"/],
    [
      [...stored, '--interval', '1d', '--lookback-months', '0'],
      /lookback_months must be a whole number 1\.\.1200, was "0"/,
    ],
    [[...ownBars, at('nowhere.json')], /config ".*nowhere\.json" does not exist/],
    [[...ownBars, '--trades', at('trades.xlsx')], /must end in \.csv, \.parquet, \.arrow.*trades\.xlsx/],
    [[...ownBars, '--trades', at('no/such/folder.csv')], /there is no folder/],
    [[...ownBars, '--report', at('page.pdf')], /report must end in \.html, was .*page\.pdf/],
    [[...ownBars, '--report', at('no/such/page.html')], /there is no folder/],
    [['data', 'import', at('nowhere.csv'), '--asset', 'BTC'], /there is no file ".*nowhere\.csv"/],
    [['data', 'import', barsFile], /^barline: --asset is required$/m],
    [['data', 'import', barsFile, '--asset', 'B T C'], /asset must .*"B T C"/],
    [
      ['signals', 'evaluate', '--bars', barsFile, '--requests', strategyFile],
      /requests must be an array of \{name, params\}/,
    ],
  ];
  const runs = await runCliBatch(
    cases.map(([args]) => args),
    { home },
  );
  for (const [i, [args, pattern]] of cases.entries()) assertRefused(runs[i], pattern, args.join(' '));
});

test('a command without its subcommand gets a one-line answer', async () => {
  const runs = await runCliBatch([[], ['data'], ['signals']], { home });
  for (const run of runs) assertRefused(run, /\S/);
});

test('help explains a topic by its name, and names the nearest ones of another', async () => {
  const runs = await runCliBatch(
    [
      ['help', 'rsi_oversold'],
      ['help', 'sharpe', 'ratio'],
      ['help', 'sharp ratios'],
      ['help', 'alpha', '--json'],
      ['help', 'leverage'],
    ],
    { home },
  );
  const [signal, metric, unknown, json, leverage] = runs as [CliRun, CliRun, CliRun, CliRun, CliRun];
  assert.match(humanOf(signal), /^rsi_oversold\n[\s\S]*`window`: whole number 2..100, default `14`/);
  assert.match(
    humanOf(metric),
    /^sharpe_ratio\n[\s\S]*\n\nSharpe ratio\n[\s\S]*Page: docs\/glossary\.md#sharpe-ratio\n$/,
  );
  assert.deepEqual([unknown.code, unknown.stdout], [2, '']);
  assert.match(unknown.stderr, /^barline: no topic "sharp ratios"; nearest: .*metric-sharpe_ratio.*\n$/);
  const { slug, others } = jsonOf(json) as { slug: string; others: string[] };
  assert.deepEqual([slug, others], ['metric-alpha', ['alpha']]);
  // A setting and a word of one name: neither hides the other.
  assert.match(humanOf(leverage), /^leverage\n[\s\S]*\nPage: docs\/reference\/settings\.md#leverage\n\nLeverage\n/);
});

test('every setting is listed, and its help names its page', async () => {
  const [json, human, alias, fee, variable] = (await runCliBatch(
    [['config', '--json'], ['config'], ['settings'], ['help', 'fee_pct'], ['help', 'BARLINE_HOME']],
    { home },
  )) as CliRun[];
  const { run, environment } = jsonOf(json!) as Readonly<Record<'run' | 'environment', { readonly name: string }[]>>;
  const names = [...run, ...environment].map(({ name }) => name);
  const documented = textOf('docs/reference/settings.md').matchAll(/^## (\S+)$/gm);
  assert.deepEqual(
    [...documented].map(([, name]) => name),
    [...run.map(({ name }) => name), 'preset', ...environment.map(({ name }) => name)],
  );
  for (const name of ['fee_pct', 'trailing_distance', 'leverage', 'DATABASE_URL'])
    assert.ok(names.includes(name), name);
  assert.equal(alias?.stdout, human?.stdout);
  assert.ok(Math.max(...human!.stdout.split('\n').map((line) => line.length)) < 220);
  assert.match(fee!.stdout, /\nPage: docs\/reference\/settings\.md#fee_pct\n$/);
  assert.match(variable!.stdout, /\nPage: docs\/reference\/settings\.md#barline_home\n$/);
});

test('the help of a real process, which loads no command, lists each as that command itself does', async () => {
  const { stdout } = await runCli(['--help'], { home });
  const listed = [...(stdout.split('Commands:\n')[1]?.split('\n\n')[0] ?? '').matchAll(/^ {2}(\w+)(.*?)(?: {2,}|$)/gm)];
  assert.deepEqual(
    listed.map(([, name]) => name),
    Object.keys(commands),
  );
  const helps = await runCliBatch(
    listed.map(([, name = '']) => [name, '--help']),
    { home },
  );
  for (const [i, [, name, usage = '']] of listed.entries()) {
    const [first = ''] = helps[i]?.stdout.split('\n') ?? [];
    assert.ok(
      new RegExp(`^Usage: barline ${name}(?:\\|\\w+)? \\[`).test(first) &&
        first.endsWith(usage.replace('[options]', '').trim()),
      first,
    );
  }
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
