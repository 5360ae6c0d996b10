import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { jsonOf, runCliBatch } from '../../../support/cli.js';
import { fileOf } from '../../../support/data-fixtures.js';

const home = mkdtempSync(join(tmpdir(), 'barline-cli-portfolio-'));
after(() => rmSync(home, { recursive: true, force: true }));

test('the examples run, with tables, and members may name the file of their strategy', async () => {
  const [trades, equity] = [join(home, 'trades.csv'), join(home, 'equity.csv')];
  const [rules, weights, json] = await runCliBatch(
    [
      [
        'portfolio',
        'examples/portfolios/two-majors.json',
        '--start',
        '2024-01-01',
        '--trades',
        trades,
        '--equity',
        equity,
      ],
      ['portfolio', 'examples/portfolios/rotation.json', '--lookback-months', '12'],
      ['portfolio', 'examples/portfolios/rotation.json', '--lookback-months', '12', '--json', '--config', 'fee_pct=0'],
    ],
    { home },
  );
  assert.equal(rules!.code, 0, rules!.stderr);
  assert.match(rules!.stdout, /^two majors: 2 members on 4h\n/);
  assert.match(rules!.stdout, /BTC +BTC trend +\d+ /);
  assert.match(rules!.stdout, /evenly held/);
  assert.match(readFileSync(trades, 'utf8'), /^trade_id,strategy,asset,side,.*member,bars_held\n/);
  assert.match(readFileSync(equity, 'utf8'), /^timestamp,account_value,cash_balance\n/);
  assert.match(weights!.stdout, /^weekly rotation: 2 assets on 1d\n/);
  const {
    metrics,
    equity: curve,
    times,
  } = jsonOf(json!) as {
    metrics: { total_fees: number };
    equity: number[];
    times: number;
  };
  assert.equal(metrics.total_fees, 0);
  assert.equal(curve.length, times);
});

test('what cannot run is refused with its place', async () => {
  const wrong = await fileOf(home, 'wrong.json', JSON.stringify({ members: [{ strategy: 'no.json', asset: 'BTC' }] }));
  const empty = await fileOf(home, 'empty.json', JSON.stringify({ interval: '1d' }));
  const [missing, neither] = await runCliBatch(
    [
      ['portfolio', wrong, '--interval', '1d'],
      ['portfolio', empty],
    ],
    { home },
  );
  assert.deepEqual([missing!.code, neither!.code], [2, 2]);
  assert.match(missing!.stderr, /no\.json" does not exist/);
  assert.match(neither!.stderr, /exactly one of members and allocation is required, was neither/);
});
