import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBars } from '../../../data/bars/index.js';
import { type PortfolioSheet, renderPortfolio } from '../../../report/index.js';
import { buildPortfolioSheet, runPortfolio } from '../../../research/portfolio/index.js';
import { root } from '../../support/tree.js';

const services = {
  store: openBars({ home: join(root, 'no-such-home'), sampleDir: join(root, 'sample') }),
  engineVersion: '0.0.0-test',
};
const example = (name: string) => JSON.parse(readFileSync(join(root, 'examples', name), 'utf8'));

async function sheet(portfolio: object): Promise<PortfolioSheet> {
  return buildPortfolioSheet(await runPortfolio({ portfolio, window: { start: '2022-01-01' } }, services));
}
const rotation = await sheet(example('rotation.json'));

const sections = (page: string): string[] => [...page.matchAll(/<section id="([\w-]+)"/g)].map(([, id]) => id ?? '');

test('the page of an allocation shows weights, rebalancing and correlation, and equal runs give equal bytes', () => {
  const page = renderPortfolio(rotation);
  assert.equal(page, renderPortfolio(rotation));
  for (const id of ['headline', 'performance', 'members', 'held', 'rebalancing', 'correlation', 'months']) {
    assert.ok(sections(page).includes(id), id);
  }
  for (const { name } of rotation.members) assert.match(page, new RegExp(`<th scope="row">${name}</th>`));
  assert.match(page, /Weights, on each other; the rest is cash/);
  assert.doesNotMatch(page.replace(/<script[\s\S]*?<\/script>/g, ''), /NaN|undefined|Infinity/);
});

test('weights, profits and rebalances of the sheet agree with the account', () => {
  const { account, members: held, gross, net, rebalances } = rotation;
  for (const i of account.equity.keys()) {
    const profit = held.reduce((sum, { profits }) => sum + profits[i]!, 0);
    assert.ok(Math.abs(profit - (account.equity[i]! - account.initialBalance)) < 1e-6, `bar ${i}`);
    const weight = held.reduce((sum, { weights }) => sum + weights[i]!, 0);
    assert.ok(Math.abs(weight - net[i]!) < 1e-12 && gross[i]! <= 1 + 1e-9 && gross[i]! === net[i]!);
  }
  assert.ok(rebalances.length > 20);
  for (const { bar, timeMs, sold, bought } of rebalances) {
    assert.equal(timeMs, account.bars.time[bar]);
    assert.ok(sold >= 0 && bought >= 0 && sold + bought > 0);
  }
});
