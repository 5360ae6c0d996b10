import assert from 'node:assert/strict';
import test from 'node:test';
import { EngineError, Sieve } from '../../../../engine/index.js';
import { type SieveDeps, scoreStrategies } from '../../../../service/sieve/index.js';
import { dipStrategy } from '../../../support/backtests.js';
import { rejectsWith } from '../../../support/refusals.js';

const noBars = async (): Promise<never> => {
  throw new EngineError('NOT_FOUND', 'there are no bars');
};
const market = { bars: noBars, nowMs: noBars, resolveSource: noBars };
const request = { strategies: [{ asset: 'BTC', entry: dipStrategy.entry }] };
const deps = (loadSieve: SieveDeps['loadSieve']): SieveDeps => ({ market, loadSieve, codeVersion: '1.2.3' });

test('without a model the sieve says so', async () => {
  await rejectsWith(
    scoreStrategies(
      request,
      deps(async () => null),
    ),
    'ENGINE_BUSY',
    /no trained model/,
  );
});

test('an asset without bars is scored without its market', async () => {
  const weights = { 'market unknown': [1_000, 0, 0, 0] };
  const loaded = { sieve: new Sieve({ name: 'x', weights }), version: 'x:0' };
  const { predictions, model_version } = await scoreStrategies(
    request,
    deps(async () => loaded),
  );
  assert.equal(model_version, 'x:0');
  assert.ok(Math.abs(predictions[0]!.binary.p_no_trades - 1 / (1 + Math.exp(-1))) < 1e-12);
});

test('a failure of the market that is no lack of bars is told', async () => {
  const broken = { ...market, resolveSource: async () => Promise.reject(new Error('disk')) };
  const loadSieve = async () => ({ sieve: new Sieve({ name: 'x', weights: {} }), version: 'x:0' });
  await assert.rejects(scoreStrategies(request, { ...deps(loadSieve), market: broken }), /disk/);
});
