import assert from 'node:assert/strict';
import test from 'node:test';
import { storyLines, unpackEvents } from '../../../report/browser/story.js';
import { renderTearSheet } from '../../../report/index.js';
import { orderWords } from '../../../report/order-words.js';
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

test('the results of longs and shorts stand apart, and nowhere else', () => {
  const page = renderTearSheet(bothSides(randomSheet({ tradeCount: 40 })));
  const sides = section(page, 'sides');
  assert.match(sides, /Net profit and loss[\s\S]*?class="loss">−12\.50<\/td><td class="loss">−12\.50/);
  assert.match(sides, /Win rate[\s\S]*?50\.00/);
  assert.match(sides, /Exits[\s\S]*LIQUIDATION<\/th><td>1<\/td><td>0/);
  assert.match(sides, /id="profit-by-side"/);
  assert.ok(!section(page, 'metrics').includes('Long net profit'));
  assert.equal(section(renderTearSheet(randomSheet()), 'sides'), '');
  const many = section(renderTearSheet(bothSides(randomSheet({ barCount: 6_000, tradeCount: 1_000 }))), 'market');
  assert.ok(many.includes('id="lane"') && many.includes('id="lane-short"') && many.includes('Shorts closed'));
});

test('what a strategy asks of orders, margin and guards is said in words', () => {
  const words = (execution: object) =>
    orderWords({ execution: { ...randomSheet().execution, ...execution } }).join('; ');
  assert.equal(words({}), '');
  const nbsp = '\u00a0';
  for (const [execution, said] of [
    [
      { entry_order: 'limit', entry_offset_atr: 0.5, entry_valid_bars: 3 },
      'entries are limit orders 0.5 ATR better than the close, good for 3 bars',
    ],
    [
      { entry_order: 'stop', entry_offset_pct: 0.01 },
      `entries are stop orders 1${nbsp}% beyond the close, good for 1 bar`,
    ],
    [{ leverage: 3 }, 'positions are 3 times their margin, and can be liquidated'],
    [
      { borrow_rate: 0.05, max_gross_exposure: 2 },
      `what is borrowed costs 5${nbsp}% a year; all positions together are at most 2 times the account`,
    ],
    [{ stop_order: false }, 'no stop is placed; its distance still sets size and target'],
    [
      { trailing_distance: 1, trailing_start: 0.5 },
      'the stop trails the best price by 1 stop distance once it has gained 0.5 stop distances',
    ],
    [
      { break_even_at: 1, break_even_offset_pct: 0.001 },
      `the stop moves to the entry and 0.1${nbsp}% once the price has gained 1 stop distance`,
    ],
    [
      {
        target_calculation: 'schedule',
        target_schedule: [
          [0, 0.04],
          [6, 0],
        ],
      },
      `the target is 4${nbsp}% at first, 0${nbsp}% after 6 bars`,
    ],
    [
      { target_calculation: 'none', target_order: 'limit' },
      'there is no target; targets and parts are limit orders: a touch does not fill them',
    ],
    [{ target_calculation: 'fixed', fixed_target_pct: 0.025 }, `the target is 2.5${nbsp}% from the entry`],
    [{ scale_out: [[1, 0.5]] }, `parts are sold on the way: 50${nbsp}% at 1 stop distance`],
    [{ opposite_entry: 'reverse' }, 'an entry of the other side closes what is open and takes its place'],
    [
      { guard_max_drawdown: 0.1, guard_pause_bars: 0 },
      `a drawdown of 10${nbsp}% closes everything and stops entries for the rest of the run`,
    ],
    [{ guard_daily_loss: 0.02 }, `a loss of 2${nbsp}% in a day closes everything and stops entries to its end`],
    [
      { guard_group_stop: 0.05 },
      `an open loss of 5${nbsp}% of the account closes everything and stops entries for 24 bars`,
    ],
  ] as const) {
    assert.equal(words(execution), said);
  }
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
