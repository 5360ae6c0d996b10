import assert from 'node:assert/strict';
import { contract } from '../../support/contract.js';
import { ageless, assertLocal } from '../../support/provenance.js';
import { assertRefused } from '../../support/refusals.js';

const spot = { base: 'BTC', quote: 'USDT' };
const perpetual = { base: 'BTC-PERP', quote: 'USDT' };
const midnight = { start_time: '2024-08-09T00:00:00Z', end_time: '2024-08-09T00:01:00Z' };
const plain = /^\d+(\.\d+)?$/;

contract('health names the source of trades and the recorded pairs', async ({ api }) => {
  const { body } = await api.call('MarketData.GetHealth');
  assert.deepEqual([body.status, body.provider, body.problem], ['healthy', 'recorded', null]);
  assert.deepEqual(body.recorded, ['BTC/USDT', 'BTC-PERP/USDT']);
  assert.deepEqual([body.source, body.as_of, body.age_seconds], ['recorded', null, 0]);
});

contract('the latest trade and quote are the last recorded ones, with plain decimals', async ({ api }) => {
  const { body: trade } = await api.call('MarketData.GetLatestTrade', spot);
  assert.equal(trade.time_exchange, '2024-08-09T00:05:05.800Z');
  assert.equal(trade.instrument_name, 'BTC/USDT');
  assert.match(trade.price, plain);
  assert.match(trade.size, plain);
  assert.ok(['buy', 'sell'].includes(trade.taker_side));
  assertLocal(trade, 'recorded', '2024-08-09T00:05:05.800Z');
  const { body: quote } = await api.call('MarketData.GetLatestQuote', spot);
  assert.equal(quote.instrument_id, trade.instrument_id);
  for (const field of ['ask_price', 'ask_size', 'bid_price', 'bid_size']) assert.match(quote[field], plain);
  assert.ok(Number(quote.ask_price) > Number(quote.bid_price));
  assertLocal(quote, 'recorded', quote.time_exchange);
});

for (const [method, rows] of [
  ['MarketData.ListTrades', 'trades'],
  ['MarketData.ListQuotes', 'quotes'],
] as const) {
  contract(`${method} includes the start, excludes the end, and orders and limits its rows`, async ({ api }) => {
    const read = async (request: object) => (await api.call(method, { ...spot, ...midnight, ...request })).body;
    const newest = await read({});
    assert.deepEqual([newest.count, newest.limit, newest.asc], [100, 100, false]);
    assertLocal(newest, 'recorded', newest[rows][0].time_exchange);
    const oldest = await read({ asc: true, limit: 1_000 });
    assert.deepEqual([oldest.count, oldest.limit, oldest.asc], [1_000, 1_000, true]);
    const times = (answer: typeof oldest): string[] =>
      answer[rows].map((row: { time_exchange: string }) => new Date(row.time_exchange).toISOString());
    assert.deepEqual(times(oldest), times(oldest).toSorted());
    assert.deepEqual(times(newest), times(newest).toSorted().reverse());
    assert.ok(times(oldest).every((time) => time >= '2024-08-09T00:00:00.000Z' && time < '2024-08-09T00:01:00.000Z'));
    const at = times(oldest)[500];
    const from = await read({ start_time: at, asc: true, limit: 1 });
    assert.deepEqual(times(from), [at], 'the start is inclusive');
    const until = await read({ end_time: at, asc: false, limit: 1 });
    assert.ok(times(until)[0] < at, 'the end is exclusive');
    const same = await read({ start_time: at, end_time: at });
    assert.deepEqual([same.count, same[rows]], [0, []], 'an empty window');
    const zoned = await read({ start_time: '2024-08-09T02:00:00+02:00', end_time: '2024-08-09T02:01:00+02:00' });
    assert.deepEqual(ageless(zoned), ageless(newest));
    const before = await read({ start_time: '2020-01-01T00:00:00Z', end_time: '2021-01-01T00:00:00Z' });
    assert.deepEqual(before[rows], [], 'only what was recorded');
    assert.deepEqual(before.held, newest.held);
    assertLocal(before, 'recorded', before.held.end);
    const [first] = (await read({ start_time: before.held.start, end_time: before.held.end, asc: true, limit: 1 }))[
      rows
    ];
    assert.equal(first.time_exchange, before.held.start, 'an empty answer says where to look');
  });
}

contract('bars of one minute are made of recorded trades where no stored bars are', async ({ api }) => {
  const { body } = await api.call('MarketData.ListMinuteBars', { ...spot, ...midnight });
  assert.deepEqual([body.count, body.limit, body.gaps], [1, 1_000, []]);
  const [bar] = body.bars;
  assert.deepEqual([bar.start, bar.end], ['2024-08-09T00:00:00Z', '2024-08-09T00:01:00Z']);
  const window = { ...spot, ...midnight, asc: true, limit: 1_000 };
  const { body: first } = await api.call('MarketData.ListTrades', window);
  assert.equal(bar.price_open, first.trades[0].price);
  assert.equal(bar.trades, 1_824);
  const { body: last } = await api.call('MarketData.ListTrades', { ...window, asc: false, limit: 1 });
  assert.equal(bar.price_close, last.trades[0].price);
  for (const field of ['price_high', 'price_low', 'volume']) assert.match(bar[field], plain);
});

contract('stretches without bars are reported and not filled', async ({ api }) => {
  const window = { start_time: '2025-05-28T23:58:00Z', end_time: '2025-05-29T00:03:00Z' };
  const { body } = await api.call('MarketData.ListMinuteBars', { ...perpetual, ...window });
  assert.deepEqual(
    body.bars.map(({ start, trades }: { start: string; trades: number }) => [start, trades]),
    [0, 1, 2].map((minute) => [`2025-05-29T00:0${minute}:00Z`, 0]),
  );
  assert.deepEqual(body.gaps, [{ start: '2025-05-28T23:58:00Z', end: '2025-05-29T00:00:00Z', bars: 2 }]);
  const { body: cut } = await api.call('MarketData.ListMinuteBars', { ...perpetual, ...window, limit: 1 });
  assert.deepEqual([cut.count, cut.limit, cut.gaps], [1, 1, body.gaps]);
  const day = { start_time: '2025-05-29T00:00:00Z', end_time: '2025-05-30T00:00:00Z' };
  const { body: whole } = await api.call('MarketData.ListMinuteBars', { ...perpetual, ...day });
  assert.deepEqual([whole.count, whole.gaps], [1_000, []]);
  const outage = { ...spot, period: 'FOUR_HOURS', end_time: '2023-03-24T16:00:00Z' };
  const { body: four } = await api.call('MarketData.GetPeriodBar', outage);
  assert.deepEqual(four.gaps, [{ start: '2023-03-24T13:00:00Z', end: '2023-03-24T14:00:00Z', bars: 1 }]);
});

contract('a bar of each period is the sum of the finer ones', async ({ api }) => {
  const end_time = '2025-05-30T00:00:00Z';
  const minutes: Record<'start' | `price_${'open' | 'high' | 'low' | 'close'}` | 'volume', string>[] = [];
  for (const start_time of ['2025-05-29T00:00:00Z', '2025-05-29T12:00:00Z']) {
    const half = { start_time, end_time: new Date(Date.parse(start_time) + 12 * 3_600_000).toISOString() };
    minutes.push(...(await api.call('MarketData.ListMinuteBars', { ...perpetual, ...half })).body.bars);
  }
  const lengths = {
    ONE_MINUTE: 1,
    FIVE_MINUTES: 5,
    FIFTEEN_MINUTES: 15,
    THIRTY_MINUTES: 30,
    ONE_HOUR: 60,
    FOUR_HOURS: 240,
    ONE_DAY: 1_440,
  };
  for (const [period, length] of Object.entries(lengths)) {
    const { body } = await api.call('MarketData.GetPeriodBar', { ...perpetual, period, end_time });
    const own = minutes.slice(-length);
    assert.deepEqual([body.period, body.end, body.start], [period, end_time, own[0].start]);
    assert.deepEqual([body.price_open, body.price_close], [own[0].price_open, own.at(-1)?.price_close]);
    assert.equal(Number(body.price_high), Math.max(...own.map((bar) => Number(bar.price_high))));
    assert.equal(Number(body.price_low), Math.min(...own.map((bar) => Number(bar.price_low))));
    const volume = own.reduce((sum, bar) => sum + Number(bar.volume), 0);
    assert.ok(Math.abs(Number(body.volume) - volume) < 1e-6);
    assert.deepEqual(body.gaps, []);
    assertLocal(body, 'recorded', body.end);
    const { body: latest } = await api.call('MarketData.GetLatestBar', { ...perpetual, period });
    assert.deepEqual([latest.period, latest.end], [period, '2025-06-03T00:00:00Z']);
  }
});

contract('a time within a period means the bar that ended before it', async ({ api }) => {
  const at = (end_time: string) => api.call('MarketData.GetPeriodBar', { ...spot, period: 'ONE_HOUR', end_time });
  const { body } = await at('2024-03-01T13:00:00Z');
  assert.deepEqual([body.start, body.end], ['2024-03-01T12:00:00Z', '2024-03-01T13:00:00Z']);
  assert.deepEqual(ageless((await at('2024-03-01T13:59:59.999Z')).body), ageless(body));
  assert.notDeepEqual((await at('2024-03-01T14:00:00Z')).body, body);
  const held = '; bars are held from 2017-08-17T04:00:00Z to 2025-09-19T23:00:00Z';
  for (const end of ['2023-03-24T14:00:00Z', '2017-08-16T04:00:00Z', '2030-01-01T00:00:00Z']) {
    const answer = await at(end);
    assert.deepEqual(
      [answer.code, answer.message],
      ['RESOURCE_NOT_FOUND', `ONE_HOUR bar of BTC/USDT ending ${end} not found${held}`],
    );
  }
});

contract('an unknown pair is not found', async ({ api }) => {
  for (const [method, request] of [
    ['MarketData.GetLatestTrade', {}],
    ['MarketData.ListTrades', midnight],
    ['MarketData.GetLatestQuote', {}],
    ['MarketData.ListQuotes', midnight],
    ['MarketData.GetLatestBar', { period: 'ONE_HOUR' }],
    ['MarketData.ListMinuteBars', midnight],
    ['MarketData.GetPeriodBar', { period: 'ONE_HOUR', end_time: midnight.end_time }],
  ] as const) {
    const answer = await api.call(method, { base: 'BTC', quote: 'EUR', ...request });
    assertRefused(answer, 'RESOURCE_NOT_FOUND', /BTC\/EUR.* not found/);
  }
});

contract('a time that is none is refused with its field and value', async ({ api }) => {
  const read = (request: object) => api.call('MarketData.ListTrades', { ...spot, ...midnight, ...request });
  for (const text of ['2024-08-09T00:00:00', '2024-02-30T00:00:00Z', '1723161600']) {
    const message = new RegExp(`^start_time must be an RFC 3339 time such as 2024-08-09T00:00:00Z, was "${text}"$`);
    assertRefused(await read({ start_time: text }), 'INVALID_FIELD', message);
  }
  const turned = { start_time: midnight.end_time, end_time: midnight.start_time };
  assertRefused(await read(turned), 'INVALID_FIELD', /^start_time must be at or before end_time/);
});
