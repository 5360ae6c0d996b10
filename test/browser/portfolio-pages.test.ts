import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { openBars } from '../../data/bars/index.js';
import { renderPortfolio, renderSweep } from '../../report/index.js';
import { buildPortfolioSheet, runPortfolio } from '../../research/portfolio/index.js';
import { browserOptions, pagesInBrowser } from '../support/pages.js';
import { randomSweepSheet } from '../support/sweep-sheet.js';
import { root } from '../support/tree.js';

const services = {
  store: openBars({ home: join(root, 'no-such-home'), sampleDir: join(root, 'sample') }),
  engineVersion: '0.0.0-test',
};
const example = (name: string) => JSON.parse(readFileSync(join(root, 'examples', name), 'utf8'));
const sheetOf = async (portfolio: object) =>
  buildPortfolioSheet(await runPortfolio({ portfolio, window: { start: '2022-01-01' } }, services));

const rotation = await sheetOf(example('rotation.json'));
const majors = example('portfolio-three-majors.json');
const strategy = example('daily-trend.json');
const members = await sheetOf({
  ...majors,
  members: majors.members.map((member: object) => ({ ...member, strategy })),
});
const sweep = (() => {
  const { best, datasets, ...sheet } = randomSweepSheet();
  const settings = { 'members[*].strategy.entry[0].params.window_fast': 10, 'allocation.rank_by': 'roc(close, 90)' };
  const placed = best.map((run, i) => ({
    ...run,
    entry: [],
    exit: [],
    settings: { ...settings, 'allocation.top': i },
  }));
  const [first] = placed;
  const leader = { ...first!, metrics: { ...first!.metrics, sharpe_ratio: 1.22 } };
  const [dataset] = datasets;
  // A long name far left and a short one far right: the hardest for a narrow picture.
  const counted = { runs: 65, runsAboveZero: 65, min: 0.05, mean: 0.6, max: 1.22 };
  const distribution = { low: 0, width: 0.1, bins: new Array<number>(13).fill(5), ...counted };
  const judged = { ...dataset!, leader, distribution, honesty: { ...dataset!.honesty!, luckySharpe: 0.4 } };
  return { ...sheet, best: placed, datasets: [judged], portfolio: rotation };
})();

const { visit, testWidths, testReading } = pagesInBrowser({
  rotation: () => renderPortfolio(rotation),
  members: () => renderPortfolio(members),
  sweep: () => renderSweep(sweep),
});

testWidths(390, 820, 1440);

test('the page of a sweep of portfolios zooms the account and explores the runs', browserOptions, () =>
  visit('sweep', { width: 1440 }, async (page) => {
    const told = `document.querySelector('#zoom output').textContent`;
    const before = await page.evaluate<string>(told);
    await page.evaluate(`document.querySelector('[data-zoom-by="0.625"]').click()`);
    assert.notEqual(await page.evaluate<string>(told), before);
    assert.equal(await page.evaluate<boolean>(`document.getElementById('coordinates').hidden`), false);
    const axes = `[...document.querySelectorAll('.best-runs th.text')].map((cell) => cell.textContent)`;
    assert.deepEqual(await page.evaluate<string[]>(axes), ['allocation.top']);
  }),
);

testReading(390, 'rotation', 'members', 'sweep');
