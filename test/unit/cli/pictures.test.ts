import assert from 'node:assert/strict';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type CliRun, runCliBatch } from '../../support/cli.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { goldenPath, root } from '../../support/tree.js';

/*
 * What commands print fits terminals of 80, 120 and 200 columns; that of the first is compared with
 * the pictures in `test/golden/cli`. After a change that is meant, BARLINE_PICTURES=write writes
 * them again: look at them before you commit.
 */

const widths = [80, 120, 200] as const;
const isWriting = process.env.BARLINE_PICTURES === 'write';

const cwd = temporaryFolder('pictures');
for (const name of ['examples']) symlinkSync(join(root, name), join(cwd, name));
writeFileSync(join(cwd, 'bars.csv'), 'Date;Open;High;Low;Close;Volume\n03.02.2024;1,5;1,7;1,4;1,6;10\n');
const options = { cwd, home: 'home' };

const trend = ['backtest', '--strategy', 'examples/btc-trend.json', '--interval', '4h', '--start', '2024-01-01'];
const dip = ['backtest', '--strategy', 'examples/dip.json', '--interval', '1h', '--start', '2025-01-01'];
const cheap = [...trend, '--config', 'fee_pct=0.001', 'slippage_pct=0.0005'];

const [first, second, third, swept] = (await runCliBatch(
  [trend, dip, cheap, ['sweep', 'examples/sweeps/walk-forward.json', '--out', 'sweep']],
  options,
)) as [CliRun, CliRun, CliRun, CliRun];
assert.equal(swept.code, 0, swept.stderr);
const runIds = [first, second, third].map(
  ({ stdout, stderr }) => /^run (bt_\w+)/m.exec(stdout)?.[1] ?? assert.fail(stderr),
);

const columns =
  'run_index, asset, timeframe, entry_json, exit_json, total_trades, sharpe_ratio, sortino_ratio, total_return, max_drawdown, win_rate, profit_factor, expectancy';
const pictures: Readonly<Record<string, readonly string[]>> = {
  backtest: trend,
  sweep: ['sweep', '--resume', '--out', 'sweep', '--top', '4'],
  results: ['results', '--sweep', 'sweep', '--by', 'total_return', '--top', '3'],
  sql: ['results', '--sweep', 'sweep', `SELECT ${columns} FROM results ORDER BY run_index LIMIT 2`],
  compare: ['compare', ...runIds],
  audit: ['audit', ...trend.slice(1), '--cuts', '2'],
  'data-list': ['data', 'list'],
  'signals-list': ['signals', 'list', '--category', 'volatility'],
  'signals-show': ['signals', 'show', 'rsi_oversold'],
  'help-backtest': ['backtest', '--help'],
  'help-topic': ['help', 'sharpe_ratio'],
  'error-signal': ['signals', 'show', 'rsi_oversol'],
  'error-import': ['data', 'import', 'bars.csv', '--asset', 'BTC'],
};

/** Lists and helps, which grow, have no picture. */
const drawn = ['backtest', 'sweep', 'results', 'compare', 'audit', 'data-list', 'signals-show', 'error-import'];

/** Colours and moves of the cursor. */
const isEscaped = (text: string): boolean => text.includes('\u001b[');
/** The speed of a sweep is that of the machine, and every new setting changes the ids of runs. */
const masked = (text: string): string =>
  text.replace(/^[\d,]+ runs\/s, /m, 'N runs/s, ').replaceAll(/\bbt_[\da-f]{16}\b/g, `bt_${'0'.repeat(16)}`);

const shown = await Promise.all(
  widths.map(async (columns) => {
    const terminal = { columns, hasColors: false };
    const runs = await runCliBatch(Object.values(pictures), { ...options, terminal });
    const settings = await runCliBatch([['config']], { cwd: '/', home: '/srv/barline', terminal });
    return [...runs, ...settings].map(({ stdout, stderr }) => stdout + stderr);
  }),
);

for (const [i, name] of [...Object.keys(pictures), 'config'].entries()) {
  test(`${name} is drawn within 80, 120 and 200 columns${drawn.includes(name) ? ', as its picture shows' : ''}`, () => {
    const texts = widths.map((_, k) => shown[k]?.[i] ?? '');
    for (const [k, width] of widths.entries()) {
      const lines = texts[k]!.split('\n');
      assert.ok(lines.length > 1 && !isEscaped(texts[k]!));
      assert.deepEqual(
        lines.filter(({ length }) => length > width),
        [],
        `${width} columns`,
      );
    }
    if (!drawn.includes(name)) return;
    const picture = `${masked(texts[0]!).trimEnd()}\n`;
    const path = goldenPath(`cli/${name}.txt`);
    if (isWriting) writeFileSync(path, picture);
    assert.equal(picture, readFileSync(path, 'utf8'));
  });
}

test('titles are bold in a terminal with colours, and plain in a pipe and on request', async () => {
  const terminal = { columns: 120, hasColors: true };
  const commands = [
    ['help', 'sharpe_ratio'],
    ['help', 'sharpe_ratio', '--no-color'],
  ];
  const [bold, plain] = await runCliBatch(commands, { ...options, terminal });
  const [piped] = await runCliBatch(commands, options);
  assert.ok(bold!.stdout.startsWith('\u001b[1msharpe_ratio\u001b[22m\n'));
  for (const run of [plain, piped]) {
    assert.match(run!.stdout, /^sharpe_ratio\n/);
    assert.ok(!isEscaped(run!.stdout));
  }
});
