import assert from 'node:assert/strict';
import test from 'node:test';
import { executionDefaults, tradingDefaults } from '../../../service/config/index.js';
import { grpcApi, restApi } from '../../support/api.js';
import { sharedService } from '../../support/contract.js';

const documents = [
  ['Config.GetTradingDefaults', tradingDefaults()],
  ['Config.GetExecutionDefaults', executionDefaults()],
] as const;

test('the defaults need no credential, and REST answers with them alone', async () => {
  const { client, origin } = await sharedService();
  for (const [method, expected] of documents) {
    assert.deepEqual((await grpcApi(client, null).call(method)).body.defaults, expected);
    assert.deepEqual((await restApi(origin, null).call(method)).body, expected);
  }
});
