import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveConfig } from '../../../../engine/execution/index.js';
import { HOUR_MS } from '../../../../engine/series/index.js';
import { extractFeatures, MARKET_BARS, marketBefore, SIEVE_HEADS, Sieve } from '../../../../engine/sieve/index.js';
import { parseStrategy, planStrategy } from '../../../../engine/strategy/index.js';
import { naiveScore } from '../../../reference/sieve.js';
import { randomBars, seededRandom } from '../../../support/random.js';

const random = seededRandom(5);
const names = Array.from({ length: 60 }, (_, i) => `feature ${i}`);
const weights = Object.fromEntries(
  names.map((name) => [name, SIEVE_HEADS.map(() => Math.round((random() - 0.5) * 4_000))]),
);
const model = { name: 'made up', weights };

test('a score is that of the two regressions, and each head sums to 1', () => {
  const sieve = new Sieve(model);
  for (let run = 0; run < 200; run++) {
    const features = Array.from({ length: 1 + Math.floor(random() * 30) }, () => names[Math.floor(random() * 60)]!);
    const score = sieve.score([...features, 'a feature that the model does not know']);
    const expected = naiveScore(model, features);
    for (const head of SIEVE_HEADS) assert.ok(Math.abs(score[head] - expected[head]) < 1e-12, head);
    assert.ok(Math.abs(score.no_trades + score.losing + score.wash + score.winning - 1) < 1e-12);
    assert.deepEqual(sieve.score(features.toReversed()), score, 'in any order, to the last bit');
  }
});

const strategy = parseStrategy(
  {
    entry: [
      { name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: { window: 14, threshold: 30 } },
      { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '4h', params: { window: 50 } },
    ],
    exit: [{ name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: null, params: { threshold: 70 } }],
  },
  'strict',
);
const { entry, exit } = planStrategy(strategy, HOUR_MS);
const { config } = resolveConfig({ request: { fee_pct: 0.001, slippage_pct: 0.0005 }, interval: HOUR_MS });
const plain = { entry: entry!, exit: exit!, config, intervalMs: HOUR_MS, windowBars: 2_000, market: null };

test('the features of a strategy tell its rules, settings and window', () => {
  const features = extractFeatures(plain);
  for (const expected of [
    ...['bias', 'interval 60', 'window 4', 'rules 2 1', 'exits true', 'market unknown'],
    ...['ET rsi_cross_up', 'ET momentum', 'ET coarse 0', 'ET rsi_cross_up window 3', 'XT rsi_cross_up'],
    ...['EF is_above_sma', 'EF coarse 1', 'pair rsi_cross_up is_above_sma'],
    ...['cost 3', 'reward 3', 'stop atr 3 interval 60', 'risk 2', 'hold 5', 'positions 2', 'sizing v2'],
  ]) {
    assert.ok(features.includes(expected), `${expected} of ${features.join(', ')}`);
  }
});

test('the features do not change when any bar from the window on does', () => {
  const first = MARKET_BARS + 40;
  const bars = randomBars({ seed: 3, barCount: 2 * first });
  const other = randomBars({ seed: 4, barCount: 2 * first });
  const mixed = randomBars({ seed: 3, barCount: 2 * first });
  for (const name of ['open', 'high', 'low', 'close', 'volume'] as const) {
    mixed[name].set(other[name].subarray(first), first);
  }
  const known = extractFeatures({ ...plain, market: marketBefore(bars, first) });
  assert.deepEqual(extractFeatures({ ...plain, market: marketBefore(mixed, first) }), known);
  mixed.close[first - 1]! *= 3;
  assert.notDeepEqual(marketBefore(mixed, first), marketBefore(bars, first), 'while the bar before it counts');
  assert.equal(marketBefore(bars, MARKET_BARS - 1), null, 'too few bars');
});
