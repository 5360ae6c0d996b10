import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBars } from '../../../data/bars/index.js';
import { storyLines, unpackEvents } from '../../../report/browser/story.js';
import { type PortfolioSheet, renderPortfolio, renderTearSheet } from '../../../report/index.js';
import { eventKinds } from '../../../report/page-data.js';
import { listDrawdowns } from '../../../report/risk.js';
import { buildPortfolioSheet, runPortfolio } from '../../../research/portfolio/index.js';
import { bothSides, randomSheet } from '../../support/report.js';
import { root } from '../../support/tree.js';

const HOUR_MS = 3_600_000;

function sheetOf(equity: readonly number[]) {
  const sheet = randomSheet({ barCount: equity.length, tradeCount: 1 });
  const time = Float64Array.from(equity, (_, i) => i * HOUR_MS);
  return {
    ...sheet,
    initialBalance: 100,
    window: { startMs: 0, endMs: equity.length * HOUR_MS },
    bars: { ...sheet.bars, time },
    equity: Float64Array.from(equity),
  };
}

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

test('drawdowns are listed deepest first, from peak to recovery, and one that lasts has no end', () => {
  const found = listDrawdowns(sheetOf([100, 90, 95, 100, 120, 60, 90, 120, 130, 117, 125]));
  assert.deepEqual(
    found.map(({ depth, ...rest }) => ({ ...rest, depth: Number(depth.toFixed(6)) })),
    [
      { peakMs: 4 * HOUR_MS, lowMs: 5 * HOUR_MS, recoveredMs: 7 * HOUR_MS, bars: 3, depth: -0.5 },
      { peakMs: 0, lowMs: HOUR_MS, recoveredMs: 3 * HOUR_MS, bars: 3, depth: -0.1 },
      { peakMs: 8 * HOUR_MS, lowMs: 9 * HOUR_MS, recoveredMs: null, bars: 2, depth: -0.1 },
    ],
  );
});

test('an account that loses from its first bar on falls from the initial balance', () => {
  const [first] = listDrawdowns(sheetOf([80, 70, 75]));
  assert.deepEqual([first?.peakMs, first?.lowMs, first?.recoveredMs, first?.bars], [0, HOUR_MS, null, 3]);
  assert.deepEqual(listDrawdowns(sheetOf([100, 101, 101, 102])), []);
});

/** What the tear sheet tells of both sides, of orders and of the events of one trade. */

const section = (page: string, id: string): string =>
  new RegExp(`<section id="${id}"[\\s\\S]*?</section>`).exec(page)?.[0] ?? '';

test('entries of both sides, parts, liquidations and stops as they moved stand over the price', () => {
  const page = renderTearSheet(bothSides(randomSheet({ tradeCount: 40 })));
  const market = section(page, 'market');
  assert.equal(market.match(/class="mark entry"/g)?.length, 20);
  assert.equal(market.match(/class="mark entry short"/g)?.length, 20);
  assert.equal(market.match(/class="mark part"/g)?.length, 40);
  assert.equal(market.match(/class="mark lost liquidated"/g)?.length, 1);
  for (const said of ['long entry', 'short entry', 'part sold', 'liquidation']) assert.ok(market.includes(said), said);
  const [stops] = market.match(/<path class="stop" d="[^"]*"/) ?? [''];
  assert.equal(stops.match(/M/g)?.length, 40);
  assert.equal(stops.match(/V/g)?.length, 80, 'two moves of each stop');
  const plain = section(renderTearSheet(randomSheet({ tradeCount: 40 })), 'market');
  assert.ok(!plain.includes('<path class="stop"') && plain.includes('<line class="stop"') && !plain.includes('short'));
});

test('the events of one trade read as sentences, moves in a row as one', () => {
  const at = (kind: (typeof eventKinds)[number], hour: number, price: number | null, ...more: [number?, string?]) =>
    [eventKinds.indexOf(kind), 3600 * hour, price, ...more] as never;
  const told = storyLines(
    unpackEvents([
      at('placed', 1, 101),
      at('entry', 2, 101, 2),
      at('stop', 2, 104),
      at('target', 2, 95),
      at('target', 3, null),
      ...[103, 102.5, 102, 101].map((price, i) => at('stop', 4 + i, price)),
      at('part', 8, 98, 0.5, 'SCALE_OUT'),
      [eventKinds.indexOf('leave'), 3600 * 9, null, null, 'SIGNAL'],
      at('exit', 9, 97, 1.5, 'SIGNAL'),
    ]),
    true,
    2,
  );
  assert.deepEqual(
    told.map(({ text }) => text),
    [
      'an order to sell short at 101.00 is placed',
      'sells short 2 at 101.00',
      'the stop stands at 104.00',
      'the target stands at 95.00',
      'the target is taken away',
      'the stop moves 4 times, from 103.00 to 101.00',
      'buys back a part, 0.5, at 98.00',
      'the exit rule is true: all is to be bought back at the next open',
      'buys back 1.5 at 97.00 (SIGNAL: exit rule)',
    ],
  );
  assert.equal(told[5]?.time, '1970-01-01 04:00 to 1970-01-01 07:00');
});
