import assert from 'node:assert/strict';
import test from 'node:test';
import { type HeldBars, SplitMix64, sumByPeriod } from '../../../../engine/statistics/index.js';
import { strictestFailed } from '../../../../engine/sweep/assess-leader.js';
import { assessAcross, assessLeader, type EarlierTries, NOTHING_EARLIER } from '../../../../engine/sweep/index.js';
import { normal, trialsOf } from '../../../support/noise.js';
import { runs } from '../../../support/scale.js';

test('the strictest test above 0.05 is named; one that could not be made does not count', () => {
  assert.equal(strictestFailed({ luck: 0.05, market: 0.05, timing: 0.05 }), null);
  assert.equal(strictestFailed({ luck: null, market: null, timing: null }), null);
  assert.equal(strictestFailed({ luck: 0.051, market: 0.01, timing: null }), 'luck');
  assert.equal(strictestFailed({ luck: 0.9, market: 0.06, timing: 0.01 }), 'market');
  assert.equal(strictestFailed({ luck: 0.01, market: 0.06, timing: 0.2 }), 'timing');
  assert.equal(strictestFailed({ luck: 0.01, market: 0.06, timing: 0.2, fills: 0.06 }), 'fills');
  assert.equal(strictestFailed({ luck: 0.01, market: 0.01, timing: 0.01, fills: null }), null);
});

const DAYS = 150;
const BARS_PER_DAY = 4;
const BARS = DAYS * BARS_PER_DAY;

/** Trades at random times, one after the other, in about half of the bars. */
function randomTrades(random: SplitMix64): HeldBars[] {
  const trades: HeldBars[] = [];
  for (let bar = random.below(20); bar < BARS - 10; bar += random.below(12)) {
    const barsHeld = 1 + random.below(10);
    trades.push({ entryBar: bar, barsHeld });
    bar += barsHeld;
  }
  return trades;
}

/** Judges the best of trials that enter at random in a market without trend. */
function judgeNoise(seed: number, trialCount: number, daysPerYear = 365, earlier: EarlierTries = NOTHING_EARLIER) {
  const random = new SplitMix64(seed);
  const moves = Float64Array.from({ length: BARS }, () => 0.01 * normal(random));
  const close = new Float64Array(BARS);
  let price = 100;
  for (const [t, move] of moves.entries()) close[t] = price *= Math.exp(move);
  const open = close.map((_, t) => close[t - 1] ?? 100);
  const dailyOf = (isHeld: (bar: number) => boolean) =>
    Float64Array.from({ length: DAYS }, (_, day) => {
      let sum = 0;
      for (let t = day * BARS_PER_DAY; t < (day + 1) * BARS_PER_DAY; t++) sum += isHeld(t) ? moves[t]! : 0;
      return sum;
    });
  const trials = Array.from({ length: trialCount }, () => {
    const trades = randomTrades(random);
    const held = new Uint8Array(BARS);
    for (const { entryBar, barsHeld } of trades) held.fill(1, entryBar, entryBar + barsHeld);
    return { trades, daily: dailyOf((t) => held[t] === 1) };
  });
  const totals = trials.map(({ daily }) => daily.reduce((sum, x) => sum + x));
  const leader = totals.indexOf(Math.max(...totals));
  const { trades, daily } = trials[leader]!;
  const rows = trials.map((one) => {
    const row = new Float32Array(DAYS);
    sumByPeriod(one.daily, { count: DAYS, daysEach: 1 }, row);
    return Array.from(row);
  });
  return assessLeader({
    ...{ trials: trialsOf(rows), leader, trialCount, startup: null, daily, market: dailyOf(() => true), daysPerYear },
    ...{ trades, tradeReturns: new Float64Array(trades.length), open, close, seed, earlier },
  });
}

test('the best timed of many tries is no evidence: its p-value counts them all', () => {
  const sweeps = runs(16, 600);
  let timed = 0;
  let alone = 0;
  for (let seed = 0; seed < sweeps; seed++) {
    const { timing } = judgeNoise(seed, 40);
    if (timing!.pValue <= 0.05) timed++;
    if (timing!.zScore >= 1.645) alone++;
  }
  assert.ok(alone > 0.3 * sweeps, `alone, ${alone} of ${sweeps} would look timed`);
  assert.ok(timed <= 0.05 * sweeps + 3 * Math.sqrt(0.0475 * sweeps), `${timed} of ${sweeps}`);
});

test('the best of several datasets is judged as such, so that noise passes no more often than on one', () => {
  const sweeps = runs(16, 500);
  let alone = 0;
  let picked = 0;
  for (let seed = 0; seed < sweeps; seed++) {
    const leaders = Array.from({ length: 4 }, (_, k) => judgeNoise(4 * seed + k, 12));
    const whole = assessAcross(leaders);
    assert.ok(whole.every((one) => one?.datasets === 4 && one.trialCount === 48));
    if (leaders.some(({ luckP }) => luckP! <= 0.05)) alone++;
    if (whole.some((one) => one!.luckP! <= 0.05)) picked++;
  }
  assert.ok(alone > 0.08 * sweeps, `one of four passes alone in ${alone} of ${sweeps}`);
  assert.ok(picked <= 0.05 * sweeps + 3 * Math.sqrt(0.0475 * sweeps), `${picked} of ${sweeps}`);
});

test('a p-value across datasets is at most 1, and names the strictest test that fails', () => {
  const one = (luckP: number, marketP: number | null, pValue: number) => ({
    ...{ trialCount: 10, luckP, marketP, everTried: null, fills: null },
    timing: { ...judged.timing!, pValue },
  });
  const judged = judgeNoise(1, 4);
  const across = assessAcross([one(0.01, 0.02, 0.001), one(0.001, null, 0.03), one(0.6, 0.01, 0.01)]);
  const shown = across.map((whole) => [whole!.luckP, whole!.marketP, whole!.timingP, whole!.fails]);
  assert.deepEqual(shown, [
    [0.03, 0.06, 0.003, 'market'],
    [0.003, null, 0.09, 'timing'],
    [1, 0.03, 0.03, 'luck'],
  ]);
  const doubted = { ...one(0.001, 0.001, 0.001), fills: { slippage: 0.001, pValue: 0.03 } };
  assert.deepEqual(
    assessAcross([doubted, doubted]).map((whole) => [whole?.fillsP, whole?.fails]),
    [
      [0.06, 'fills'],
      [0.06, 'fills'],
    ],
  );
  assert.deepEqual(assessAcross([one(0.5, 0.5, 0.5)]), [null], 'nothing was picked from one dataset');
  assert.deepEqual(assessAcross([]), []);
});
