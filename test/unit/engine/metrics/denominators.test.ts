import assert from 'node:assert/strict';
import test from 'node:test';
import { rankingValue, stated, whyWithout } from '../../../../engine/metrics/index.js';

test('a ratio of 0 ranks by its gain where the run had no risk, and by its value elsewhere', () => {
  assert.equal(rankingValue('sharpe_ratio', { sharpe_ratio: 1.5, total_return: 0.1 }), 1.5);
  assert.equal(rankingValue('win_rate', { win_rate: 0 }), 0);
  assert.equal(rankingValue('win_rate', {}), null);
  assert.equal(rankingValue('calmar_ratio', { calmar_ratio: 0, max_drawdown: -0.1, total_return: 0.1 }), 0);
  assert.equal(rankingValue('calmar_ratio', { calmar_ratio: 0, max_drawdown: 0, total_return: 0.1 }), Infinity);
  assert.equal(rankingValue('calmar_ratio', { calmar_ratio: 0, total_return: 0.1 }), Infinity);
  assert.equal(rankingValue('sortino_ratio', { sortino_ratio: 0, total_return: -0.1 }), 0);
  assert.equal(rankingValue('sortino_ratio', { sortino_ratio: 0, total_return: 0 }), null);
  assert.equal(rankingValue('profit_factor', { profit_factor: null }), null);
});

test('words and pages give the value, or why there is none', () => {
  const value = { value: 1.5, why: null, isAboveAny: false };
  assert.deepEqual(stated('sharpe_ratio', { sharpe_ratio: 1.5, total_trades: 3 }), value);
  const lossless = { sortino_ratio: 0, total_return: 0.1, total_trades: 3 };
  assert.deepEqual(stated('sortino_ratio', lossless), { value: null, why: 'no loss', isAboveAny: true });
  const idle = { sortino_ratio: 0, total_return: 0, total_trades: 0 };
  assert.deepEqual(stated('sortino_ratio', idle), { value: null, why: 'no trade', isAboveAny: false });
  assert.equal(whyWithout('win_rate'), null);
});
