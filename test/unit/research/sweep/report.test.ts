import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { openBars } from '../../../../data/bars/index.js';
import { queryResults } from '../../../../data/sweeps/index.js';
import { betterSide } from '../../../../engine/metrics/index.js';
import { rankingMetrics } from '../../../../engine/sweep/index.js';
import { renderSweep } from '../../../../report/index.js';
import { assessSweep, runSweep, sweepReport } from '../../../../research/sweep/index.js';
import { assertRefused, runCliBatch } from '../../../support/cli.js';
import { soak } from '../../../support/scale.js';
import { sweepRequest } from '../../../support/sweep-setup.js';
import { crossSweep } from '../../../support/sweeps.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { root } from '../../../support/tree.js';

const home = temporaryFolder('sweep-report');
/** The version of the command line, so that it may continue the sweep. */
const { version: engineVersion } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const services = { store: openBars({ home, sampleDir: join(root, 'sample') }), engineVersion };

const folder = join(home, 'sweep');
const outcome = await runSweep(
  sweepRequest(
    crossSweep({
      datasets: [
        { asset: 'BTC', timeframe: '1d' },
        { asset: 'ETH', timeframe: '1d' },
      ],
    }),
    folder,
  ),
  services,
);
const honesty = await assessSweep(outcome.prepared, folder, 'sharpe_ratio');
const sheet = await sweepReport(outcome, 'sharpe_ratio', honesty, { services });
const ask = async (sql: string, from = folder) => (await queryResults([from], sql)).rows;

test('figures of the page are those of the rows', async () => {
  const [[ok, best, run]] = (await ask(
    `SELECT count(*), max(sharpe_ratio), arg_max(run_index, sharpe_ratio) FROM results WHERE status = 'ok'`,
  )) as [[number, number, number]];
  assert.equal(sheet.counts.ok, ok);
  assert.equal(sheet.best[0]!.run, run);
  assert.equal(sheet.best[0]!.metrics.sharpe_ratio, best);
  assert.equal(sheet.explored!.runs.length, ok);
  for (const { name, leader, distribution, honesty: own, counts } of sheet.datasets) {
    const rows = (await ask(
      `SELECT sharpe_ratio FROM results WHERE status = 'ok' AND asset = '${name.slice(0, 3)}'`,
    )) as [number][];
    const { low, width, bins, mean } = distribution!;
    const expected = bins.map((_, i) => rows.filter(([value]) => Math.floor((value - low) / width) === i).length);
    assert.deepEqual(bins, expected);
    assert.equal(counts.ok, rows.length);
    assert.ok(Math.abs(mean - rows.reduce((sum, [value]) => sum + value, 0) / rows.length) < 1e-12);
    assert.equal(leader!.run, own!.leader.run);
    assert.equal(leader!.metrics.sharpe_ratio, own!.leader.value);
  }
  const html = renderSweep(sheet);
  assert.ok(html.includes(outcome.planHash) && html.includes(`>${engineVersion}<`));
  assert.ok(html.includes(`>${best.toFixed(2)}<`));
});

test('a metric with a better side ranks rows, judgement and page alike', async () => {
  for (const by of rankingMetrics.filter((_, i) => soak || i % 8 === 0)) {
    const sign = betterSide(by) === 'lower' ? 'ASC' : 'DESC';
    const [[first]] = (await ask(
      `SELECT run_index FROM results WHERE status = 'ok' AND total_trades >= 30 ORDER BY ${by} ${sign}, run_index LIMIT 1`,
    )) as [[number]];
    const judged = await assessSweep(outcome.prepared, folder, by);
    const { best, datasets } = await sweepReport(outcome, by, judged);
    assert.equal(best[0]!.run, first, by);
    assert.ok(judged.some(({ leader }) => leader.run === first && leader.value === best[0]!.metrics[by]));
    for (const { leader, distribution } of datasets) {
      const value = leader!.metrics[by]!;
      assert.ok(value >= distribution!.min && value <= distribution!.max, by);
    }
  }
});

test('--resume writes the page of a finished sweep, and a page that cannot be written is refused first', async () => {
  const page = join(home, 'page.html');
  const [made, refused] = await runCliBatch(
    [
      ['sweep', '--resume', '--out', folder, '--report', page],
      ['sweep', '--resume', '--out', folder, '--report', join(home, 'page.txt')],
    ],
    { home },
  );
  assertRefused(refused, /report must end in \.html, was ".*page\.txt"/);
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stderr, /page of the sweep written to/);
  assert.equal(readFileSync(page, 'utf8'), renderSweep(sheet), 'the same rows make the same page');
});
