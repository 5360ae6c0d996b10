import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { jsonOf, runCliBatch } from '../../support/cli.js';
import { fileOf } from '../../support/data-fixtures.js';
import { crossSweep, filter, trigger } from '../../support/sweeps.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const home = temporaryFolder('cli-varied');
const above = (more: object) => filter('is_above_sma', { window: { values: [4] } }, more);

/** Everything that may tell two runs apart: rules by their reach, and settings by their last digit. */
const sweep = crossSweep({
  datasets: [{ asset: 'BTC', timeframe: '1d' }],
  entry_signals: {
    triggers: [trigger('sma_cross_up', { window_fast: { values: [2, 3] }, window_slow: { values: [8] } })],
    filters: [{}, { negate: true }, { within_bars: 3 }, { within_bars: 4 }, { timeframe: '1w' }, { asset: 'ETH' }].map(
      above,
    ),
  },
  execution_config: {
    base: {
      cooldown_config: {
        '4h': { short_loss_limit: 2, short_window_bars: 12, long_loss_limit: 6, long_window_bars: 36 },
      },
    },
    sweep_axes: [
      { param: 'fee_pct', values: [0.001234561, 0.001234562] },
      { param: 'trailing_distance', values: [null, 0.4] },
      { param: 'cooldown_config.4h.short_loss_limit', values: [2, 3] },
    ],
  },
});
const plan = await fileOf(home, 'varied.json', JSON.stringify(sweep));
const folder = join(home, 'varied');
const page = join(home, 'page.html');
const all = ['--top', '100', '--min-trades', '1'];
const [json, table, listed, queried] = await runCliBatch(
  [
    ['sweep', plan, '--out', folder, ...all, '--workers', '1', '--json'],
    ['sweep', '--resume', '--out', folder, ...all, '--report', page],
    ['results', '--sweep', folder, '--by', 'total_fees', ...all],
    ['results', '--sweep', folder, "SELECT * FROM results WHERE status = 'ok'"],
  ],
  { home },
);
interface Row extends Readonly<Record<string, unknown>> {
  readonly definition: { readonly strategy: { readonly name: string } };
}
const { top } = jsonOf(json!) as { readonly top: readonly Row[] };
/** Runs that differ differ in more than these. */
const apart =
  /^(run_index|config_hash|rng_seed|strategy_name|total_trades|.*_ratio|.*return.*|max_drawdown.*|.*elapsed.*)$/;
const isApart = (name: string) => apart.test(name);

/** What a printed table says of each run, beside its number and its figures. */
function saidIn(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => /\brun_index\b/.test(line));
  const names = lines[first]!.trim().split(/ {2,}/);
  return lines.slice(first + 1, first + 1 + top.length).map((line) => {
    const cells = line.trim().split(/ {2,}/);
    assert.equal(cells.length, names.length, line);
    return names.flatMap((name, i) => (isApart(name) || name === 'win_rate' ? [] : [cells[i]])).join('|');
  });
}

test('rows with different definitions differ in print: in JSON, both tables, a query and the page', () => {
  assert.equal(top.length, 96);
  const definitions = top.map(({ definition: { strategy } }) => JSON.stringify({ ...strategy, name: '' }));
  assert.equal(new Set(definitions).size, top.length);
  const told = top.map(({ definition: _, ...row }) =>
    JSON.stringify(Object.entries(row).filter(([name]) => !isApart(name) && name !== 'win_rate')),
  );
  assert.equal(new Set(told).size, top.length, 'JSON');
  for (const [name, run] of Object.entries({ table, listed })) {
    assert.equal(new Set(saidIn(run!.stdout.split('\n'))).size, top.length, name);
  }
  assert.match(queried!.stdout, /0\.001234561\b/);
  assert.match(queried!.stdout, /0\.001234562\b/);
  const rows = [...readFileSync(page, 'utf8').matchAll(/<tr><th scope="row" data-value="\d+">.*?<\/tr>/g)];
  const texts = rows.map(([row]) =>
    [...row.matchAll(/<td class="text"[^>]*>(.*?)<\/td>/g)].map(([, text]) => text).join('|'),
  );
  assert.equal(texts.length, top.length);
  assert.equal(new Set(texts).size, top.length, 'page');
});
