import assert from 'node:assert/strict';
import test from 'node:test';
import { EngineError } from '../../../../engine/errors.js';
import { Sieve } from '../../../../engine/sieve/index.js';
import { type SieveDeps, SieveMarkets, scoreStrategies } from '../../../../service/sieve/capability.js';
import { dipStrategy } from '../../../support/backtests.js';

const noBars = async (): Promise<never> => {
  throw new EngineError('NOT_FOUND', 'there are no bars');
};
const market = { bars: noBars, resolveSource: noBars };
const request = { strategies: [{ asset: 'BTC', entry: dipStrategy.entry }] };
const deps = (loadSieve: SieveDeps['loadSieve']): SieveDeps => ({
  markets: new SieveMarkets(market),
  loadSieve,
  codeVersion: '1.2.3',
});

test('an asset without bars is scored without its market', async () => {
  const weights = { 'market unknown': [1_000, 0, 0, 0] };
  const loaded = { sieve: new Sieve({ name: 'x', weights }), version: 'x:0' };
  const { predictions, model_version } = await scoreStrategies(
    request,
    deps(() => loaded),
  );
  assert.equal(model_version, 'x:0');
  assert.ok(Math.abs(predictions[0]!.binary.p_no_trades - 1 / (1 + Math.exp(-1))) < 1e-12);
});

test('a failure of the market that is no lack of bars is told, and the next call asks again', async () => {
  let calls = 0;
  const resolveSource = async (): Promise<never> => {
    calls++;
    throw calls === 1 ? new Error('disk') : new EngineError('NOT_FOUND', 'there are no bars');
  };
  const markets = new SieveMarkets({ ...market, resolveSource });
  const loadSieve = () => ({ sieve: new Sieve({ name: 'x', weights: {} }), version: 'x:0' });
  const asked = { ...deps(loadSieve), markets };
  await assert.rejects(scoreStrategies(request, asked), /disk/);
  assert.equal((await scoreStrategies(request, asked)).count, 1);
  await scoreStrategies(request, asked);
  assert.equal(calls, 2, 'what was read is kept for a while');
});
