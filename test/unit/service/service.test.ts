import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { EngineError } from '../../../engine/errors.js';
import { countedAddress, isPublicAddress } from '../../../service/addresses.js';
import { ApiError } from '../../../service/api-error.js';
import { findStrategy, makeOrder, readOrder } from '../../../service/backtests/request.js';
import { savedEvaluable } from '../../../service/execution/definition.js';
import { JsonText, pacedJson } from '../../../service/json-text.js';
import { liveProviders } from '../../../service/providers/index.js';
import { repeatedly } from '../../../service/repeatedly.js';
import { readServiceConfig } from '../../../service/settings/config.js';
import * as foreign from '../../support/foreign-words.js';

const written = async (value: unknown): Promise<string> => Buffer.concat(await pacedJson(value)).toString();

test('JSON in pieces is the JSON of the whole', async () => {
  const long = Array.from({ length: 1_000 }, (_, i) => ({ i, text: 'ä"', none: undefined, list: [null, NaN, [i]] }));
  const values = [null, 1, 'é', [], {}, [undefined], { a: undefined, b: null }, { at: new Date(0) }, long];
  for (const value of [...values, { deep: { deeper: [{ long }] } }]) {
    assert.equal(await written(value), JSON.stringify(value));
  }
});

test('a JSON text is passed on as it is, and reads as its value', async () => {
  const text = new JsonText(Buffer.from('[1, 2]'));
  assert.equal(await written({ text, list: [text] }), '{"text":[1, 2],"list":[[1, 2]]}');
  assert.equal(JSON.stringify({ text }), '{"text":[1,2]}');
});

test('a list of JSON texts has every item once', async () => {
  for (const count of [0, 1, 50_000]) {
    const list = await JsonText.listOf(count, String);
    assert.deepEqual(
      list.toJSON(),
      Array.from({ length: count }, (_, i) => i),
    );
  }
});

const HOUR_MS = 3_600_000;
const fails = (error: unknown) => assert.fail(String(error));
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a run that takes longer than its interval has no second one beside it, and stopping waits for it', async ({
  mock,
}) => {
  mock.timers.enable({ apis: ['setInterval'] });
  let runs = 0;
  let finish = (): void => {};
  const task = () => {
    runs++;
    return new Promise<void>((resolve) => {
      finish = resolve;
    });
  };
  const stop = repeatedly(task, HOUR_MS, fails);
  mock.timers.tick(2 * HOUR_MS);
  assert.equal(runs, 1);
  let isStopped = false;
  const stopping = stop().then(() => {
    isStopped = true;
  });
  await settled();
  assert.equal(isStopped, false);
  finish();
  await stopping;
});

test('a failure is reported, and the task runs again at its next turn', async ({ mock }) => {
  mock.timers.enable({ apis: ['setInterval'] });
  const errors: unknown[] = [];
  const trouble = new Error('the store is away');
  const stop = repeatedly(
    () => Promise.reject(trouble),
    HOUR_MS,
    (error) => errors.push(error),
  );
  await settled();
  mock.timers.tick(HOUR_MS);
  await settled();
  assert.deepEqual(errors, [trouble, trouble]);
  await stop();
});

const keys = [
  'BARLINE_NANSEN_KEY',
  'BARLINE_WHALE_ALERT_KEY',
  'BARLINE_LUNARCRUSH_KEY',
  'BARLINE_COINGECKO_KEY',
  'BARLINE_COINAPI_KEY',
  'BARLINE_DEFILLAMA_KEY',
];
const SECRET = 'a-very-secret-key';

test('without settings every provider is off and names the setting that switches it on', () => {
  const providers = liveProviders(readServiceConfig({}));
  assert.equal(new Set(providers.map(({ name }) => name)).size, 8);
  for (const { isOn, hasKey } of providers) assert.deepEqual([isOn, hasKey], [false, false]);
  const switches = providers.map(({ switchedBy }) => switchedBy);
  assert.deepEqual(switches, [
    ...keys.slice(0, 5),
    'BARLINE_DEFILLAMA',
    'BARLINE_TRADES_EXCHANGE',
    'BARLINE_LLM_BASE_URL',
  ]);
});

test('DeFi, an exchange and a model are on without a key of their own; only the origin of an address is shown', () => {
  const settings = {
    BARLINE_DEFILLAMA: 'free',
    BARLINE_DEFILLAMA_URL: `http://127.0.0.1:9/${SECRET}`,
    BARLINE_TRADES_EXCHANGE: 'kraken',
    BARLINE_TRADES_URL: `http://me:${SECRET}@127.0.0.1:8/x`,
    BARLINE_LLM_BASE_URL: `http://me:${SECRET}@127.0.0.1:7/v1`,
    BARLINE_LLM_MODEL: 'local',
    BARLINE_LLM_KEY: SECRET,
  };
  const providers = liveProviders(readServiceConfig(settings));
  assert.deepEqual(
    providers.filter(({ isOn }) => isOn).map(({ name, hasKey, origin }) => [name, hasKey, origin]),
    [
      ['defillama', false, 'http://127.0.0.1:9'],
      ['kraken', false, 'http://127.0.0.1:8'],
      ['local', true, 'http://127.0.0.1:7'],
    ],
  );
  assert.ok(!JSON.stringify(providers).includes(SECRET));
});

const trigger = { name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: {} };
const filter = { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '1h', params: { window: 50 } };
const named = /^entry\[1\]: "commnet" is not a key here \(ignored\)$/;

test('a strategy that was stored keeps running and names its dead keys', async () => {
  const rules = {
    entry: [
      { ...trigger, informative_pair: 'ETH' },
      { ...filter, commnet: 'mine' },
    ],
    direction: 'short',
  };
  const saved = { name: 'old', asset: 'BTC', rules, executionConfig: {} };
  const owner = { orgId: randomUUID(), userId: randomUUID() };
  const { definition: stored, unread } = await findStrategy(owner, randomUUID(), { find: async () => saved });
  assert.equal(unread.length, 1);
  assert.match(unread[0]!, /^strategy: "direction" is not a key here.*\(ignored\)$/);
  const { warnings } = makeOrder({ asset: 'BTC', interval: '1h' }, stored, 'id', { start: '2024-01-01' }, 'strategy');
  assert.equal(warnings.length, 2);
  assert.match(warnings[0]!, /^entry\[0\]: "informative_pair" is not a key here/);
  assert.match(warnings[1]!, named);
  const lane = { execution_state: { cash_balance: 1_000 } };
  const evaluable = savedEvaluable({ ...saved, id: 'x', status: 'inactive', execution_config: {}, lane } as never);
  for (const key of ['direction', 'informative_pair', 'commnet'])
    assert.match(evaluable.warnings.join('\n'), new RegExp(`"${key}"`));
});

test('the service names or refuses each of 500 words of other tools, or acts by it', async () => {
  const owner = { orgId: randomUUID(), userId: randomUUID() };
  const request = { interval: '1h', start_date: '2024-01-01', end_date: '2024-02-01' };
  const counts = { warned: 0, refused: 0 };
  for (const { word, place, value, definition: written } of foreign.definitions(500)) {
    if (value === null) continue; // a null key counts as absent
    const what = `${word} in ${place}`;
    try {
      const sent = { ...request, strategy_json: JSON.stringify(written) };
      const { warnings, request: read } = await readOrder(
        owner,
        sent,
        { filling: 'filled' },
        { find: async () => null },
      );
      const { execution_config: config } = read.strategy as { readonly execution_config: object };
      assert.ok(
        warnings.some((warning) => warning.includes(word)) || Object.hasOwn(config, word),
        `${what} runs in silence`,
      );
      counts.warned++;
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof EngineError)) throw error;
      assert.match(error.message, new RegExp(`\\b${word}\\b`), what);
      counts.refused++;
    }
  }
  assert.ok(counts.warned > 100 && counts.refused > 50, JSON.stringify(counts));
});

/** Both registries of special-purpose addresses, each network by its first and its last address. */
const special: readonly [network: string, first: string, last: string][] = [
  ['0.0.0.0/8', '0.0.0.0', '0.255.255.255'],
  ['10.0.0.0/8', '10.0.0.0', '10.255.255.255'],
  ['100.64.0.0/10', '100.64.0.0', '100.127.255.255'],
  ['127.0.0.0/8', '127.0.0.0', '127.255.255.255'],
  ['169.254.0.0/16', '169.254.0.0', '169.254.255.255'],
  ['172.16.0.0/12', '172.16.0.0', '172.31.255.255'],
  ['192.0.0.0/24', '192.0.0.0', '192.0.0.255'],
  ['192.0.2.0/24', '192.0.2.0', '192.0.2.255'],
  ['192.31.196.0/24', '192.31.196.0', '192.31.196.255'],
  ['192.52.193.0/24', '192.52.193.0', '192.52.193.255'],
  ['192.88.99.0/24', '192.88.99.0', '192.88.99.255'],
  ['192.168.0.0/16', '192.168.0.0', '192.168.255.255'],
  ['192.175.48.0/24', '192.175.48.0', '192.175.48.255'],
  ['198.18.0.0/15', '198.18.0.0', '198.19.255.255'],
  ['198.51.100.0/24', '198.51.100.0', '198.51.100.255'],
  ['203.0.113.0/24', '203.0.113.0', '203.0.113.255'],
  ['224.0.0.0/4', '224.0.0.0', '239.255.255.255'],
  ['240.0.0.0/4', '240.0.0.0', '255.255.255.255'],
  ['::1/128', '::1', '::1'],
  ['::/128', '::', '::'],
  ['::ffff:0:0/96', '::ffff:0:0', '::ffff:8.8.8.8'],
  ['64:ff9b::/96', '64:ff9b::', '64:ff9b::ffff:ffff'],
  ['64:ff9b:1::/48', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::/64', '100::', '100::ffff:ffff:ffff:ffff'],
  ['100:0:0:1::/64', '100:0:0:1::', '100:0:0:1:ffff:ffff:ffff:ffff'],
  ['2001::/23', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:4:112::/48', '2001:4:112::', '2001:4:112:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::/32', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::/16', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2620:4f:8000::/48', '2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  ['3fff::/20', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['5f00::/16', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fc00::/7', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::/10', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ff00::/8', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
];

test('no address of a special-purpose network is public', () => {
  for (const [network, first, last] of special) {
    assert.deepEqual([first, last].filter(isPublicAddress), [], network);
  }
  assert.deepEqual(['', 'unknown', '1.2.3', '8.8.8.8:80', 'fe80::1%eth0'].filter(isPublicAddress), []);
});

test('the neighbours of these networks are public', () => {
  const v4 = ['1.1.1.1', '9.255.255.255', '100.63.255.255', '100.128.0.0', '172.15.0.1', '172.32.0.1', '192.0.1.0'];
  const more = ['192.31.195.255', '192.52.194.0', '192.88.98.255', '192.175.47.255', '192.175.49.0', '223.255.255.255'];
  const v6 = ['2001:200::', '2001:db7::1', '2003::', '2620:4f:7fff::1', '2620:4f:8001::', '2606:4700::1111', '3ffe::1'];
  assert.deepEqual(
    [...v4, ...more, ...v6].filter((address) => !isPublicAddress(address)),
    [],
  );
});

test('a host counts as one, however it writes its address and whichever of its network it takes', () => {
  const same: readonly [counted: string, addresses: readonly string[]][] = [
    ['8.8.4.4', ['8.8.4.4', '::ffff:8.8.4.4', '::ffff:808:404', '0:0:0:0:0:FFFF:8.8.4.4']],
    ['2001:db8:0:7::/64', ['2001:db8:0:7::1', '2001:DB8:0:7:ffff:ffff:ffff:ffff', '2001:db8::7:0:0:0:9%eth0']],
    ['0:0:0:0::/64', ['::', '::1']],
    ['1:2:3:4::/64', ['1:2:3:4:5:6:7:8', '1:2:3:4::']],
    ['fe80:0:0:0::/64', ['fe80::1%eth0', 'fe80::2']],
  ];
  for (const [counted, addresses] of same)
    assert.deepEqual(
      addresses.map(countedAddress),
      addresses.map(() => counted),
    );
  for (const text of ['', 'unknown', '8.8.4.4:80', '08.8.4.4', '[::1]', '1.2.3.4, 5.6.7.8', '::ffff:1.2.3.4.5', 'a%b'])
    assert.equal(countedAddress(text), null, text);
});
