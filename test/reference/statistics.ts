import type { SplitMix64 } from '../../engine/statistics/index.js';

/** Statistics of sweeps from their definitions: one resample, one split, one schedule at a time. */

type Row = Float64Array;

export const mean = (row: ArrayLike<number>): number => Array.from(row).reduce((sum, x) => sum + x, 0) / row.length;

const deviationOf = (row: ArrayLike<number>): number =>
  Math.sqrt(Array.from(row).reduce((sum, x) => sum + (x - mean(row)) ** 2, 0) / (row.length - 1));

/** (c + 1) / (B + 1), where c of B values are at least `bound`. */
const share = (values: readonly number[], bound: number): number =>
  (values.filter((value) => value >= bound).length + 1) / (values.length + 1);

/** One resample of Politis and Romano: a block ends before each index with the chance 1 / mean. */
function refBlocks(random: SplitMix64, length: number, meanBlock: number): number[] {
  const blocks: { readonly start: number; size: number }[] = [{ start: random.below(length), size: 1 }];
  for (let drawn = 1; drawn < length; drawn++) {
    if (random.uniform() < 1 / meanBlock) blocks.push({ start: random.below(length), size: 1 });
    else blocks.at(-1)!.size++;
  }
  return blocks.flatMap(({ start, size }) => Array.from({ length: size }, (_, k) => (start + k) % length));
}

/** White's reality check, Hansen's test, and the steps of Romano and Wolf. */
export function bestOfMany(rows: readonly Row[], random: SplitMix64, meanBlock: number, resampleCount: number) {
  const { length } = rows[0]!;
  const drawn = Array.from({ length: resampleCount }, () => refBlocks(random, length, meanBlock));
  const widening = 1 / Math.sqrt(Math.max(0.5, 1 - (2 * meanBlock - 1) / length));
  const trials = rows.map((row) => {
    const centre = mean(row);
    const deviations = drawn.map((places) => widening * (mean(places.map((t) => row[t]!)) - centre));
    return { centre, error: deviationOf(row) / Math.sqrt(length), deviations };
  });
  const moving = trials.filter(({ error }) => error * Math.sqrt(length) >= 1e-15);
  const ts = moving.map(({ centre, error }) => centre / error);
  const threshold = -Math.sqrt(2 * Math.log(Math.log(Math.max(3, length))));
  const order = ts.map((_, i) => i).sort((a, b) => ts[b]! - ts[a]!);
  const largest = (of: readonly number[], b: number) =>
    Math.max(...of.map((i) => moving[i]!.deviations[b]! / moving[i]!.error));
  const best = (b: number) => Math.max(...trials.map(({ deviations }) => deviations[b]!));
  const superior = (b: number) =>
    Math.max(
      0,
      ...moving.map(({ deviations, error }, i) => deviations[b]! / error + (ts[i]! >= threshold ? 0 : ts[i]!)),
    );
  const over = (of: (b: number) => number) => drawn.map((_, b) => of(b));
  const steps = order.slice(0, 10).map((i, k) =>
    share(
      over((b) => largest(order.slice(k), b)),
      ts[i]!,
    ),
  );
  return {
    realityCheckP: share(over(best), Math.max(...trials.map(({ centre }) => centre))),
    superiorP: share(over(superior), Math.max(0, ...ts)),
    steps: steps.map((p, k) => Math.max(p, ...steps.slice(0, k))),
    /** Of the rows that move. */
    ts,
    luckyTs: over((b) => largest(order, b)),
  };
}

/** All ways to choose `count` of the numbers from `from` to `to - 1`. */
function choices(from: number, to: number, count: number): number[][] {
  if (count === 0) return [[]];
  if (to - from < count) return [];
  const having = choices(from + 1, to, count - 1).map((rest) => [from, ...rest]);
  return [...having, ...choices(from + 1, to, count)];
}

function sharpe(values: readonly number[]): number {
  const deviation = deviationOf(values);
  return deviation >= 1e-15 ? mean(values) / deviation : 0;
}

/** The probability of overfitting: every split of the blocks into halves. */
export function overfitting(rows: readonly Row[], blockCount: number) {
  const { length } = rows[0]!;
  const block = (t: number) =>
    Array.from({ length: blockCount }, (_, b) => b).findIndex((b) => t < Math.floor(((b + 1) * length) / blockCount));
  const blocks = Array.from({ length }, (_, t) => block(t));
  const outcomes = choices(0, blockCount, blockCount / 2).map((chosen) => {
    const inSample = rows.map((row) => sharpe([...row].filter((_, t) => chosen.includes(blocks[t]!))));
    const outOfSample = rows.map((row) => sharpe([...row].filter((_, t) => !chosen.includes(blocks[t]!))));
    const best = inSample.indexOf(Math.max(...inSample));
    const sorted = [...outOfSample].sort((a, b) => a - b);
    const rank = (sorted.indexOf(outOfSample[best]!) + sorted.lastIndexOf(outOfSample[best]!)) / 2 + 1;
    const omega = rank / (rows.length + 1);
    return { x: inSample[best]!, y: outOfSample[best]!, logit: Math.log(omega / (1 - omega)) };
  });
  const logits = outcomes.map(({ logit }) => logit).sort((a, b) => a - b);
  const xMean = mean(outcomes.map(({ x }) => x));
  const covariance = mean(outcomes.map(({ x, y }) => (x - xMean) * y));
  return {
    splitCount: outcomes.length,
    // This formula does not give an exact 0.
    pbo: mean(logits.map((logit) => (logit < 1e-12 ? 1 : 0))),
    median: (logits[(logits.length - 1) >> 1]! + logits[logits.length >> 1]!) / 2,
    lossProbability: mean(outcomes.map(({ y }) => (y < 0 ? 1 : 0))),
    slope: covariance / mean(outcomes.map(({ x }) => (x - xMean) ** 2)),
  };
}

/**
 * How bars after those of masks move, in deviations of a bar: for both masks of all their bars and
 * of those at which they become true.
 * @param moves log returns of the bars from `first` on
 * @param masks bar numbers, counted from bar 0
 */
export function refMaskTimings(
  moves: readonly number[],
  masks: { readonly entry: readonly number[]; readonly exit: readonly number[] },
  first: number,
) {
  const average = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const centre = average(moves);
  const unit = Math.sqrt(average(moves.map((move) => (move - centre) ** 2)));
  const timings: Record<string, string | number>[] = [];
  for (const mask of ['entry', 'exit'] as const) {
    const all = masks[mask];
    const wish = mask === 'entry' ? 1 : -1;
    for (const of of ['bars', 'starts'] as const) {
      const bars = all.filter((bar) => bar >= first && bar + 2 < first + moves.length);
      const chosen = of === 'bars' ? bars : bars.filter((bar) => !all.includes(bar - 1));
      const after = (n: number) => chosen.map((bar) => (wish * (moves[bar + n - first]! - centre)) / unit);
      const [one, two] = [after(1), after(2)];
      const next = chosen.length === 0 ? 0 : average(one);
      const spread =
        chosen.length < 2
          ? 0
          : Math.sqrt(one.map((x) => (x - next) ** 2).reduce((a, b) => a + b, 0) / (chosen.length - 1));
      const later = chosen.length === 0 ? 0 : average(two);
      timings.push({ mask, of, count: chosen.length, next, spread, later, bar: chosen[0] ?? -1 });
    }
  }
  return timings;
}

/**
 * Correlations of a column, and of its changes, with the returns before and after its values became
 * known, and with their sizes.
 * @param cells one value a bar, NaN before the first
 */
export function refColumnPairs(cells: readonly number[], closes: readonly number[]) {
  const seen: { value: number; close: number }[] = [];
  for (const [bar, value] of cells.entries()) {
    if (!Number.isNaN(value) && seen.at(-1)?.value !== value) seen.push({ value, close: closes[bar]! });
  }
  const rows = seen.slice(2).map((next, k) => {
    const [past, own] = [seen[k]!, seen[k + 1]!];
    return {
      level: own.value,
      change: own.value - past.value,
      before: Math.log(own.close / past.close),
      after: Math.log(next.close / own.close),
    };
  });
  const correlate = (xs: readonly number[], ys: readonly number[]): number => {
    const n = xs.length;
    const total = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
    const [mx, my] = [total(xs) / n, total(ys) / n];
    const covariance = total(xs.map((x, i) => (x - mx) * (ys[i]! - my)));
    const size = (values: readonly number[], m: number) => Math.sqrt(total(values.map((v) => (v - m) ** 2)));
    return covariance / (size(xs, mx) * size(ys, my));
  };
  return (['level', 'change'] as const).flatMap((what) => {
    const xs = rows.map((row) => row[what]);
    const side = (which: 'before' | 'after', of: (value: number) => number) =>
      correlate(
        xs,
        rows.map((row) => of(row[which])),
      );
    return [
      { of: 'returns', before: side('before', (x) => x), after: side('after', (x) => x) },
      { of: 'sizes of the returns', before: side('before', Math.abs), after: side('after', Math.abs) },
    ];
  });
}
