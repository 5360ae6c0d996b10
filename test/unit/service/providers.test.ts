import assert from 'node:assert/strict';
import test from 'node:test';
import { liveProviders } from '../../../service/providers/index.js';
import { readServiceConfig } from '../../../service/settings/config.js';

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
