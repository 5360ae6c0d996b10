import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCliBatch } from '../../support/cli.js';
import { fileOf } from '../../support/data-fixtures.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const home = temporaryFolder('undefined-ratios');
const DAY_MS = 86_400_000;

/**
 * Days whose volume names what follows until a volume of 9: after 1 every close rises, after 2 they
 * rise with one fall, after 3 none moves, after 4 they fall.
 */
function marketOf(cycles: number): string {
  const moves: Readonly<Record<number, readonly number[]>> = {
    1: [1.004, 1.004, 1.004, 1.004],
    2: [1.01, 0.998, 1.004, 1.004],
    3: [1, 1, 1, 1],
    4: [0.996, 0.996, 0.999, 0.999],
  };
  const rows = ['timestamp,open,high,low,close,volume'];
  let close = 128;
  const add = (factor: number, volume: number) => {
    const open = close;
    close = factor === 0 ? 128 : close * factor;
    const [high, low] = [Math.max(open, close), Math.min(open, close)];
    rows.push([1_672_531_200_000 + rows.length * DAY_MS, open, high, low, close, volume].join(','));
  };
  for (let cycle = 0; cycle < cycles; cycle++) {
    for (const [kind, factors] of Object.entries(moves)) {
      add(0, Number(kind));
      for (const [i, factor] of factors.entries()) add(factor, i === factors.length - 1 ? 9 : 5);
      add(0, 5);
    }
  }
  return `${rows.join('\n')}\n`;
}

const bars = await fileOf(home, 'mono.csv', marketOf(35));
const when = (formula: string) => ({ name: 'formula', signal_type: 'TRIGGER', params: { when: formula } });
const daily = (formula: string) => ({ ...when(formula), timeframe: '1d' });
const base = { fee_pct: 0, slippage_pct: 0, stop_loss_calculation: 'fixed', fixed_stop_pct: 0.1, reward_factor: 9 };
const plan = await fileOf(
  home,
  'plan.json',
  JSON.stringify({
    name: 'mono',
    datasets: [{ asset: 'MONO', timeframe: '1d' }],
    entry_signals: { triggers: [{ ...when('volume == k'), params_sweep: { k: { values: [1, 2, 3, 4] } } }] },
    exit_signals: { triggers: [when('volume == 9')] },
    execution_config: { base },
  }),
);
/** A strategy that enters at the days of a kind. */
const entersAt = (kind: number, name: string) =>
  fileOf(
    home,
    `${name}.json`,
    JSON.stringify({ name, asset: 'MONO', entry: [daily(`volume == ${kind}`)], exit: [daily('volume == 9')] }),
  );
const [winner, loser] = [await entersAt(1, 'winner'), await entersAt(4, 'loser')];
const folder = join(home, 'sweep');
const page = join(home, 'page.html');
const sheets = join(home, 'compare.html');
const config = ['--config', ...Object.entries(base).map(([name, value]) => `${name}=${value}`)];
const runMono = (file: string) => ['backtest', '--strategy', file, '--interval', '1d', ...config];

const done = await runCliBatch(
  [
    ['data', 'import', bars, '--asset', 'MONO'],
    ['sweep', plan, '--out', folder, '--by', 'sortino_ratio', '--report', page],
    runMono(winner),
    runMono(loser),
  ],
  { home },
);
for (const [i, { code, stderr }] of done.entries()) assert.equal(code, 0, `command ${i}: ${stderr}`);
const [, swept = '', won = '', lost = ''] = done.map(({ stdout }) => stdout);

test('words and page of a sweep say why its leader has no ratio', async () => {
  assert.match(
    swept,
    /Run 0 ranks first by Sortino ratio of 3 tries that traded|Run 0 ranks first by Sortino ratio of \d+ tries/,
  );
  assert.match(swept, /it has\snone itself: no loss/);
  assert.match(swept, /Does it survive higher costs\? No costs were charged: fees and slippage are 0/);
  const html = await readFile(page, 'utf8');
  assert.match(html, /<td data-value="">no loss<\/td>/);
  assert.match(html, /Best Sortino ratio<\/dt><dd>(?:<[^>]*>)*no loss/);
});

test('a summary says why a ratio has no value', () => {
  assert.match(won, /Sortino +no loss/);
  assert.match(won, /Calmar +no drawdown/);
  assert.match(won, /profit factor +none lost/);
  assert.match(lost, /Sortino +-\d/);
  assert.match(lost, /profit factor +0\.00/);
});

test('a comparison marks the run without a loss as the best, and says why it has no ratio', async () => {
  const ids = [won, lost].map((text) => /run (\w+), data/.exec(text)?.[1] ?? assert.fail(text));
  const [compared] = await runCliBatch([['compare', ...ids, '--report', sheets]], { home });
  assert.equal(compared!.code, 0, compared!.stderr);
  assert.match(compared!.stdout, /Sortino +no loss +-\d/);
  const html = await readFile(sheets, 'utf8');
  const row = /<th scope="row">Sortino ratio[^<]*<\/th>(.*?)<\/tr>/.exec(html)?.[1] ?? '';
  assert.match(row, /^<td class="best">★.*? no loss<\/td><td>\u2212/);
});
