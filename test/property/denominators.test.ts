import assert from 'node:assert/strict';
import test from 'node:test';
import { withDuckDb } from '../../data/duckdb.js';
import { bestFirst, statedColumn } from '../../data/sweeps/index.js';
import type { Trade } from '../../engine/execution/index.js';
import { computeMetrics, type MetricName, rankingValue, stated } from '../../engine/metrics/index.js';
import { DAY_MS, HOUR_MS } from '../../engine/series/index.js';
import { refRatios } from '../reference/metrics.js';
import { configOf } from '../support/execution.js';
import { randomBars, seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';

/** Ratios in rankings and words against numerator and denominator computed apart, from the returns. */

const ratios = ['sharpe_ratio', 'sortino_ratio', 'calmar_ratio', 'gain_to_pain_ratio', 'profit_factor'] as const;

/** Accounts of every kind: that gain or lose in some bars, never lose, never gain, or never move. */
function randomAccount(seed: number) {
  const random = seededRandom(seed);
  const pick = <T>(...values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const barCount = 2 + Math.floor(random() * 80);
  const bars = randomBars({ seed, barCount, intervalMs: pick(HOUR_MS, DAY_MS), volatility: 0.02 });
  const config = configOf({});
  const [gain, loss] = [pick(0, 0, 0.01, 0.03), pick(0, 0, 0.005, 0.02)];
  const still = pick(0, 0.5, 0.9);
  let value = config.initial_balance;
  const equity = Float64Array.from({ length: barCount }, (_, i) => {
    if (i > 0 && random() >= still) value *= 1 + (random() < 0.5 ? gain : -loss) * (0.5 + random());
    return value;
  });
  const profits = Array.from({ length: 1 + Math.floor(random() * 6) }, () => pick(gain * 900, -loss * 700, 0));
  const trades = profits.map(
    (profitLoss) => ({ profitLoss, entryFee: 0, exitFee: 0, slippageCost: 0, entryBar: 0, exitBar: 1 }) as Trade,
  );
  return { input: { bars, first: 0, equity, trades, exposedBars: 1, config }, profits };
}

const accounts = Array.from({ length: runs(200, 20_000) }, (_, i) => randomAccount(i + 1));
const measured = accounts.map(({ input }) => computeMetrics(input));

test('a ratio is stated where it has a denominator, and ranks first with a gain over none', () => {
  const seen = new Map<string, number>();
  for (const [i, { input, profits }] of accounts.entries()) {
    const { bars, equity, config } = input;
    const expected = refRatios({
      equity: [...equity],
      times: [...bars.time],
      intervalMs: bars.intervalMs,
      initial: config.initial_balance,
      profits,
    });
    for (const name of ratios) {
      const { over, under } = expected[name];
      const told = stated(name, measured[i]!);
      const label = `account ${i + 1}, ${name}: ${over} over ${under}`;
      const kind = under !== 0 ? 'value' : over > 0 ? 'above any' : 'nothing';
      seen.set(`${name} ${kind}`, (seen.get(`${name} ${kind}`) ?? 0) + 1);
      if (under !== 0) {
        const value = over / under;
        assert.ok(told.value !== null && Math.abs(told.value - value) <= 1e-9 * Math.max(1, Math.abs(value)), label);
      } else {
        assert.equal(told.value, null, label);
        assert.equal(told.isAboveAny, over > 0, label);
        assert.ok(told.why !== null && told.why.length > 3, label);
      }
      assert.equal(rankingValue(name, measured[i]!), told.isAboveAny ? Infinity : told.value, label);
    }
  }
  // Equal returns from the first bar on need a position before it: a Sharpe ratio is never above any.
  const kinds = ratios.flatMap((name) => ['value', 'above any', 'nothing'].map((kind) => `${name} ${kind}`));
  const missing = kinds.filter((kind) => !seen.has(kind));
  assert.deepEqual(missing, ['sharpe_ratio above any']);
});

test('the database states and ranks the same values', async () => {
  const some = measured.slice(0, 400);
  const names = [...ratios, 'total_return', 'max_drawdown', 'expectancy', 'total_trades'] as const;
  const cell = (value: number | null) => (value === null ? "CAST('NaN' AS DOUBLE)" : `CAST('${value}' AS DOUBLE)`);
  const rows = some.map((one, run) => `('x', ${run}, ${names.map((name) => cell(one[name])).join(', ')})`);
  const from = `FROM (VALUES ${rows.join(', ')}) AS results(experiment_id, run_index, ${names.join(', ')})`;
  await withDuckDb(async (connection) => {
    const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRows();
    for (const by of ratios) {
      const told = await read(`SELECT ${statedColumn(by)} ${from} ORDER BY run_index`);
      assert.deepEqual(
        told.map(([value]) => value),
        some.map((one) => stated(by, one).value),
        by,
      );
      const order = await read(`SELECT run_index ${from} ORDER BY ${bestFirst({ by, minTrades: 3 })}`);
      assert.deepEqual(
        order.map(([run]) => Number(run)),
        ranked(some, by),
        by,
      );
    }
  });
});

/** Places by definition: trades, the value, the larger gain among those above any, the number. */
function ranked(all: readonly Readonly<Record<MetricName, number | null>>[], by: (typeof ratios)[number]): number[] {
  const gain = by === 'profit_factor' ? 'expectancy' : 'total_return';
  const key = (run: number): number[] => {
    const one = all[run]!;
    const value = rankingValue(by, one);
    const isOpen = value === Infinity;
    return [
      (one.total_trades ?? 0) < 3 ? 1 : 0,
      value === null ? 1 : 0,
      isOpen ? 0 : 1,
      -(isOpen ? one[gain]! : (value ?? 0)),
      run,
    ];
  };
  const before = (a: number[], b: number[]) => a.map((x, i) => x - b[i]!).find((difference) => difference !== 0) ?? 0;
  return all.map((_, run) => run).sort((a, b) => before(key(a), key(b)));
}
