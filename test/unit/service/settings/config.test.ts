import assert from 'node:assert/strict';
import test from 'node:test';
import { EngineError } from '../../../../engine/errors.js';
import { readServiceConfig, unknownVariables } from '../../../../service/settings/config.js';

test('without variables everything has its default', () => {
  const config = readServiceConfig({});
  assert.equal(config.BARLINE_HTTP_PORT, 5001);
  assert.equal(config.BARLINE_RPC_PORT, 50_051);
  assert.equal(config.BARLINE_HTTP_HOST, '127.0.0.1');
  assert.equal(config.BARLINE_RULE_COMPOSITION, 'strict');
  assert.equal(config.DATABASE_URL, undefined);
  assert.ok(Object.isFrozen(config));
});

test('columns to keep up to date are read as assets and columns', () => {
  assert.deepEqual(readServiceConfig({}).BARLINE_COLUMNS, []);
  assert.deepEqual(
    readServiceConfig({ BARLINE_COLUMNS: 'BTC.PerpFundingRate, ETH-PERP.Score_1@whale-alert' }).BARLINE_COLUMNS,
    [
      { asset: 'BTC', column: 'PerpFundingRate', source: undefined },
      { asset: 'ETH-PERP', column: 'Score_1', source: 'whale-alert' },
    ],
  );
});

test('trusted proxies are hops, or addresses, networks and their names', () => {
  const read = (text?: string) =>
    readServiceConfig(text === undefined ? {} : { BARLINE_TRUSTED_PROXIES: text }).BARLINE_TRUSTED_PROXIES;
  assert.deepEqual([read(), read('0'), read('2')], [undefined, 0, 2]);
  assert.deepEqual(read('loopback, 10.0.0.0/8,fd00::1'), ['loopback', '10.0.0.0/8', 'fd00::1']);
  const whole = /^BARLINE_TRUSTED_PROXIES: must be a number of hops 0\.\.32, or addresses .* was true$/;
  assert.throws(() => read('true'), { message: whole });
});

const refused: readonly [variable: string, value: string][] = [
  ['BARLINE_HTTP_PORT', '65536'],
  ['DATABASE_URL', 'mysql://host/db'],
  ['BARLINE_SECRET', 'too short'],
  ['BARLINE_OIDC_ISSUERS', '[{"issuer":"https://a.example"}]'],
  ['BARLINE_TIERS', '[]'],
  ['BARLINE_TRUSTED_PROXIES', '33'],
  ['BARLINE_TRUSTED_PROXIES', '0.0.0.0/0'],
  ['BARLINE_COLUMNS', 'PerpFundingRate'],
  ['BARLINE_LLM_BASE_URL', 'ftp://127.0.0.1/v1'],
  ['BARLINE_X402_PAY_TO', '0x12'],
];

test('a wrong value is refused by the name of its variable', () => {
  for (const [variable, value] of refused) {
    assert.throws(
      () => readServiceConfig({ [variable]: value }),
      (error: Error) => error instanceof EngineError && error.message.startsWith(variable),
      value,
    );
  }
});

test('a variable that is named like a setting and is none is told with the nearest setting', () => {
  const environment = { BARLINE_TRUSTED_PROXY: '1', BARLINE_HTTP_PORT: '1', BARLINE_API_KEY: 'x', HOME: '/' };
  assert.deepEqual(unknownVariables(environment), [
    'BARLINE_TRUSTED_PROXY is not a setting, did you mean BARLINE_TRUSTED_PROXIES?',
  ]);
});

test('a tier may leave out fields added later', () => {
  const tier = { id: 'a', name: 'A', strategiesMax: 1, monthlyMax: { backtests: 2, api_calls: null } };
  assert.deepEqual(readServiceConfig({ BARLINE_TIERS: JSON.stringify([tier]) }).BARLINE_TIERS, [
    {
      ...tier,
      entitlements: [],
      priceMonthly: null,
      monthlyMax: { backtests: 2, api_calls: null, oracle_data_queries: null, tokens: null, defi_pro_calls: 1_000 },
      backtestsPerSweepMax: 100,
      concurrentSweepsMax: 1,
    },
  ]);
});
