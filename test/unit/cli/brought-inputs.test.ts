import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { HOUR_MS } from '../../../engine/series/intervals.js';
import { runCli, runCliBatch } from '../../support/cli.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { commandArgs, root } from '../../support/tree.js';

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

/** Bars of four hours at 02:00, 06:00 and so on, as a broker two hours off UTC writes them. */
const offGrid = (): string => {
  const rows = Array.from({ length: 600 }, (_, i) => {
    const price = 100 + 10 * Math.sin(i / 9);
    return [Date.UTC(2023, 0, 5, 2) + i * 4 * HOUR_MS, price, price + 1, price - 1, price + 0.5, 10].join(',');
  });
  return `timestamp,open,high,low,close,volume\n${rows.join('\n')}\n`;
};

const cross = (timeframe: string): string => {
  const rule = (name: string) => ({
    ...{ name, signal_type: 'TRIGGER', timeframe },
    params: { window_fast: 3, window_slow: 8 },
  });
  return JSON.stringify({
    name: 'cross',
    entry: [rule('ema_cross_up')],
    exit: [rule('ema_cross_down')],
    reward_factor: 5,
  });
};

test('a window beyond the data says what was cut', async () => {
  const strategy = await file('daily.json', cross('1d'));
  const run = (...window: readonly string[]) => [
    ...['backtest', '--strategy', strategy, '--asset', 'BTC', '--interval', '1d', '--no-record'],
    ...window,
  ];
  const [beyond, within] = await runCliBatch(
    [run('--start', '2001-01-01', '--end', '2099-12-31'), run('--start', '2020-01-01', '--end', '2020-12-31')],
    { home },
  );
  assert.match(
    beyond?.stdout ?? '',
    /warning: start 2001-01-01 is before the data, which begin at 2017-\S+Z: the run begins there/,
  );
  assert.match(
    beyond?.stdout ?? '',
    /warning: end 2099-12-31 is after the data, whose last bar closes at .*: the run ends there/,
  );
  assert.doesNotMatch(within?.stdout ?? '', /the data, which/);
});

test('amounts of an account in bitcoin have significant digits', async () => {
  const strategy = await file('small.json', cross('1d'));
  const config = ['initial_balance=0.05', 'min_trade_amount=0.00001', 'fee_pct=0.001', 'slippage_pct=0.0005'];
  const backtest = ['backtest', '--strategy', strategy, '--asset', 'BTC', '--interval', '1d', '--start', '2023-01-01'];
  const [run] = await runCliBatch([[...backtest, '--config', ...config, '--no-record']], { home });
  const text = run?.stdout ?? '';
  for (const label of ['expectancy', 'average win', 'average loss', 'fees paid', 'slippage paid']) {
    const figure = new RegExp(`${label} +(-?[\\d.]+)`).exec(text)?.[1] ?? assert.fail(text);
    assert.match(figure, /0\.0*[1-9]\d/, `${label} ${figure}`);
  }
  assert.match(text, /balance +0\.05 -> 0\.0\d+/);
});

test('a leading ~ of BARLINE_HOME is the home of the user', async () => {
  const user = join(folder, 'user');
  await mkdir(user);
  const bars = await file('tilde.csv', offGrid());
  const { code, stderr } = await runCli(['data', 'import', bars, '--asset', 'T'], {
    home: '~/data',
    cwd: user,
    env: { HOME: user, USERPROFILE: user },
  });
  assert.equal(code, 0, stderr);
  assert.deepEqual(await readdir(user), ['data']);
  assert.deepEqual((await readdir(join(user, 'data', 'bars'))).filter((name) => name.endsWith('.parquet')).length, 1);
});

test('a home that cannot be written names its setting and path, with the exit code of bad input', async () => {
  const bars = await file('locked.csv', offGrid());
  const locked = join(folder, 'locked');
  await mkdir(locked, { mode: 0o555 });
  await chmod(folder, 0o755);
  // Root may write anywhere, so the command runs as nobody.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const { status, stderr } = spawnSync(process.execPath, commandArgs('data', 'import', bars, '--asset', 'T'), {
    ...nobody,
    env: { ...process.env, BARLINE_HOME: join(locked, 'home') },
    encoding: 'utf8',
  });
  assert.equal(status, 2, stderr);
  assert.match(
    stderr,
    /^barline: BARLINE_HOME ".*locked\/home" cannot be used: permission denied \(mkdir ".*locked\/home/,
  );
});

test('a home in which no folder can be made ends at once and names its setting and path', {
  skip: process.platform !== 'linux' && 'needs /proc',
}, async () => {
  const bars = await file('unmakable.csv', offGrid());
  const commands = [
    ['data', 'import', bars, '--asset', 'T'],
    ['backtest', '--strategy', 'examples/dip.json', '--interval', '1h', '--start', '2025-01-01'],
    ['keys', 'list'],
    ['serve'],
  ];
  for (const command of commands) {
    const { status, stderr } = spawnSync(process.execPath, commandArgs(...command), {
      env: { ...process.env, BARLINE_HOME: '/proc/none/home', BARLINE_HTTP_PORT: '0', BARLINE_RPC_PORT: '0' },
      encoding: 'utf8',
      timeout: 30_000,
    });
    // A backtest prints its result all the same.
    assert.equal(status, command[0] === 'backtest' ? 0 : 2, `${command.join(' ')}: ${stderr}`);
    assert.match(
      stderr,
      /BARLINE_HOME "\/proc\/none\/home" cannot be used: no folder can be made there \(mkdir "\/proc\/none/,
    );
  }
});

test('help answers words of other programs, and says where each acts', async () => {
  const topics = {
    short: /short_entry and short_exit in backtests, sweeps, live runs and on paper accounts/,
    leverage: /isolated margin and liquidation/,
    'trailing stop': /trailing_distance[^.]* in backtests/,
    freqtrade: /BTC_USDT-1h\.feather/,
    vectorbt: /freqtrade|backtesting\.py/,
  };
  const runs = await runCliBatch(
    Object.keys(topics).map((topic) => ['help', topic]),
    { home },
  );
  for (const [i, answer] of Object.values(topics).entries()) {
    assert.equal(runs[i]?.code, 0, runs[i]?.stderr);
    assert.match(runs[i]?.stdout.replaceAll(/\s+/g, ' ') ?? '', answer);
  }
});
