import assert from 'node:assert/strict';
import { contract } from '../../support/contract.js';
import { ageless } from '../../support/provenance.js';
import { assertRefused } from '../../support/refusals.js';

const spot = { base: 'BTC', quote: 'USDT' };
const perpetual = { base: 'BTC-PERP', quote: 'USDT' };
const midnight = { start_time: '2024-08-09T00:00:00Z', end_time: '2024-08-09T00:01:00Z' };

contract('health names the source of trades and the recorded pairs', async ({ api }) => {
  const { body } = await api.call('MarketData.GetHealth');
  assert.deepEqual([body.status, body.provider, body.problem], ['healthy', 'recorded', null]);
  assert.deepEqual(body.recorded, ['BTC/USDT', 'BTC-PERP/USDT']);
  assert.deepEqual([body.source, body.as_of, body.age_seconds], ['recorded', null, 0]);
});

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
