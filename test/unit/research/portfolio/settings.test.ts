import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byMemberText } from '../../../../engine/portfolio/index.js';
import { parsePortfolio } from '../../../../research/portfolio/definition.js';
import { definedSettings } from '../../../../research/portfolio/outline.js';

const rule = { name: 'formula', signal_type: 'TRIGGER', timeframe: '1d', params: { when: 'close > 0' } };
const memberWith = (asset: string, own: object, over: object = {}) => ({
  asset,
  strategy: { name: 's', entry: [rule], execution_config: own },
  execution_config: over,
});
const settings = (...members: object[]) => definedSettings(parsePortfolio({ interval: '1d', members }), { window: {} });
const costs = (...members: object[]): string[] => {
  const { fee_pct, slippage_pct } = settings(...members);
  return [fee_pct, slippage_pct].map((value) => byMemberText<number>(value, (cost) => `${cost * 100} %`));
};

test('the costs that are shown are those that members pay, by member where they differ', () => {
  const cheap = { fee_pct: 0.0005, slippage_pct: 0 };
  assert.deepEqual(costs(memberWith('BTC', cheap), memberWith('ETH', cheap)), ['0.05 %', '0 %']);
  const dear = memberWith('SOL', cheap, { fee_pct: 0.01 });
  assert.deepEqual(costs(memberWith('BTC', cheap), memberWith('ETH', cheap), dear), [
    '0.05 % (BTC, ETH), 1 % (SOL)',
    '0 %',
  ]);
});
