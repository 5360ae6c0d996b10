import assert from 'node:assert/strict';
import { tableFromIPC } from 'apache-arrow';
import { loadBars } from '../../../library/index.js';
import { contract } from '../../support/contract.js';
import { assertRefused } from '../../support/refusals.js';

contract('a series is listed and described, and its bars come as Arrow', async ({ api, service }) => {
  const { body: list } = await api.call('Series.List');
  const hourly = list.series.find((one: { asset: string; interval: string }) => one.interval === '1h');
  const { body, code, message } = await api.call('Series.Get', { asset: hourly.asset, interval: '1h' });
  assert.equal(code, 'OK', String(message));
  assert.deepEqual([body.series, body.aggregated_from, body.held_out], [hourly, null, []]);

  const { token } = await service.login();
  const pieces: Uint8Array[] = [];
  const request = { asset: hourly.asset, interval: '1h' };
  for await (const { arrow } of service.client.stream('Series.ReadBars', request, { authorization: `Bearer ${token}` }))
    pieces.push(arrow);
  const table = tableFromIPC(Buffer.concat(pieces));
  const bars = await loadBars({ asset: hourly.asset, interval: '1h' });
  assert.deepEqual(Array.from(table.getChild('timestamp') ?? [], Number), [...bars.time]);
  assert.deepEqual(Array.from(table.getChild('close') ?? []), [...bars.close]);
});

contract('a series that is not held, and a column that it lacks, are refused by name', async ({ api }) => {
  const unknown = await api.call('Series.Get', { asset: 'NOPE', interval: '1h' });
  assertRefused(unknown, 'INVALID_FIELD', /NOPE/);
  const column = await api.call('Series.Get', { asset: 'BTC', interval: '1h', columns: ['moon'] });
  assertRefused(column, 'INVALID_FIELD', /^columns: BTC has no column moon, it has /);
});

const [a, b] = ['a', 'b'].map((digit) => digit.repeat(16));

contract('reported tries count once, for the organization that reports them', async ({ api, other }) => {
  const { body: first } = await api.call('Tries.Report', { asset: 'btc-usd', identities: [a, b, a] });
  assert.deepEqual([first.asset, first.tries, first.judged_sweeps, first.unrelated_tries], ['BTC', 2, 0, 2]);
  const { body: again } = await api.call('Tries.Report', { asset: 'BTC', identities: [b] });
  assert.deepEqual(again, first);
  assert.deepEqual((await api.call('Tries.Get', { asset: 'BTC' })).body, first);
  assert.ok(first.lucky_sharpe > 0);
  const { body: elsewhere } = await other.call('Tries.Get', { asset: 'BTC' });
  assert.deepEqual([elsewhere.tries, elsewhere.lucky_sharpe], [0, 0]);
});

contract(
  'tries on bars that are not held, too many, or in another form are refused, and none counts',
  async ({ api }) => {
    const report = (identities: readonly unknown[], asset = 'BTC') => api.call('Tries.Report', { asset, identities });
    assertRefused(await report([a], 'NOPE'), 'RESOURCE_NOT_FOUND', /^asset NOPE not found$/);
    const many = Array.from({ length: 1_001 }, (_, k) => k.toString(16).padStart(16, '0'));
    assertRefused(await report(many), 'INVALID_FIELD', /^identities must be a list of 1..1000 identities, was 1001$/);
    assertRefused(await report([a, 'A'.repeat(16)]), 'INVALID_FIELD', /^identities must be 16 lower-case .*AAAA/);
    assert.equal((await api.call('Tries.Get', { asset: 'BTC' })).body.tries, 0);
  },
);
