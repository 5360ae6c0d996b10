import assert from 'node:assert/strict';
import test from 'node:test';
import { parsePortfolio } from '../../../../research/portfolio/index.js';

const strategy = {
  name: 'cross',
  entry: [
    { name: 'sma_cross_up', signal_type: 'TRIGGER', timeframe: null, params: { window_fast: 5, window_slow: 20 } },
  ],
  exit: [],
};
const rules = {
  interval: '1d',
  members: [
    { strategy, asset: 'BTC' },
    { strategy, asset: 'ETH', weight: 2 },
  ],
};
const weights = { interval: '1d', allocation: { assets: ['BTC', 'ETH'], every: '1M', top: 1 } };

test('a portfolio of rules has the defaults that it leaves out', () => {
  const read = parsePortfolio(rules);
  assert.ok(read.kind === 'members');
  assert.deepEqual(
    read.members.map(({ asset, weight }) => [asset, weight]),
    [
      ['BTC', 1],
      ['ETH', 2],
    ],
  );
  const { config, maxOpenPositions, maxGrossExposure, rankBy, guards } = read;
  assert.deepEqual([config, maxOpenPositions, maxGrossExposure, rankBy], [{}, null, null, null]);
  assert.deepEqual(guards, { max_drawdown: null, daily_loss: null, group_stop: null, pause_bars: 24 });
});

const refusals: readonly [what: string, portfolio: unknown, message: RegExp][] = [
  ['both', { ...rules, ...weights }, /exactly one of members and allocation is required, was both/],
  [
    'two members alike',
    { members: [rules.members[0], rules.members[0]] },
    /members\[1\] must differ from members\[0\]/,
  ],
  [
    'a guard among settings',
    { ...rules, execution_config: { guard_daily_loss: 0.1 } },
    /execution_config\.guard_daily_loss is a guard of the whole account/,
  ],
  [
    'two balances',
    { ...rules, initial_balance: 1, execution_config: { initial_balance: 2 } },
    /execution_config\.initial_balance must be left out beside initial_balance/,
  ],
];
for (const [what, portfolio, message] of refusals) {
  test(`${what} is refused`, () => {
    assert.throws(() => parsePortfolio(portfolio), message);
  });
}
