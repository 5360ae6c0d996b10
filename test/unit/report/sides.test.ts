import assert from 'node:assert/strict';
import test from 'node:test';
import { storyLines, unpackEvents } from '../../../report/browser/story.js';
import { renderTearSheet } from '../../../report/index.js';
import { eventKinds } from '../../../report/page-data.js';
import { bothSides, randomSheet } from '../../support/report.js';

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
