import { type Kernels, kernelsIn } from '../simd/kernels.js';
import { sharedMemory } from './shared-memory.js';
import type { RowRange, TrialReturns } from './trial-returns.js';

/** Rows whose sums are held at a time: the sums of 512 unions then stay in the cache. */
const ROWS = 16;
/** Offsets of two unions, and the least value of a row without deviation. */
const HALF_DOUBLES = 3;
/**
 * Returns that never differ have a value of their number, but for rounding; returns of an account
 * that differ at all are further away.
 */
const NEARLY = 1 - 1e-12;
/** Added to every sum of squares, so that a row without returns has the value 0 and not 0 / 0. */
const SQUARE_MIN = 1e-300;

/**
 * For every half of the blocks as the sample: the best row there, and how it does in the other
 * half. Halves 2 s and 2 s + 1 are each other's other half.
 */
export interface SplitRanks {
  /** Sharpe ratio of the best row in the half, the first of equals; 0 without deviation. */
  readonly best: Float64Array;
  /** Sharpe ratio of the same row in the other half. */
  readonly partners: Float64Array;
  /** Rows with a lower ratio in the other half, and with the same ratio, itself included. */
  readonly below: Float64Array;
  readonly equal: Float64Array;
}

/**
 * Rows are compared by u = sum |sum| / sum of squares, which rises with the Sharpe ratio: of n
 * returns the square of that is u (n - 1) / (n (n - u)). Time follows rows times halves; memory
 * does not grow with the rows.
 *
 * @param edges first period of each block, and the end of the last; an even number of blocks, each
 *   with at least one period
 */
export function rankSplits(trials: TrialReturns, edges: readonly number[]): SplitRanks {
  const all = { from: 0, to: trials.rowCount };
  const bests = splitBests(trials, edges, all);
  return joinRanks(edges, bests, [splitCounts(trials, edges, bests.partners, all)]);
}

/** Per half: the largest u of a range of rows, and the u of the same row in the other half. */
export interface SplitBests {
  readonly best: Float64Array;
  readonly partners: Float64Array;
}

/** Per half: rows of a range below and equal to the best of all rows in the other half. */
export interface SplitCounts {
  readonly below: Float64Array;
  readonly equal: Float64Array;
}

export function splitBests(trials: TrialReturns, edges: readonly number[], rows: RowRange): SplitBests {
  return overRows(trials, edges, rows, (kernels, held, [best, partners]) => {
    best.fill(-Infinity);
    return {
      take: () => kernels.splitBests(...held, best.byteOffset, partners.byteOffset),
      finish: () => ({ best: best.slice(), partners: partners.slice() }),
    };
  });
}

/** The bests of adjoining ranges in their order, joined: of equals the first row. */
export function joinBests(parts: readonly SplitBests[]): SplitBests {
  const [best, partners] = [parts[0].best.slice(), parts[0].partners.slice()];
  for (const part of parts.slice(1)) {
    for (let k = 0; k < best.length; k++) {
      if (part.best[k] <= best[k]) continue;
      best[k] = part.best[k];
      partners[k] = part.partners[k];
    }
  }
  return { best, partners };
}

/** @param partners of the best of all rows: ranks can be counted only once all rows were seen */
export function splitCounts(
  trials: TrialReturns,
  edges: readonly number[],
  partners: Float64Array,
  rows: RowRange,
): SplitCounts {
  return overRows(trials, edges, rows, (kernels, held, [known, , below, equal]) => {
    known.set(partners);
    return {
      take: () => kernels.splitRanks(...held, known.byteOffset, below.byteOffset, equal.byteOffset),
      finish: () => ({ below: below.slice(), equal: equal.slice() }),
    };
  });
}

export function joinRanks(edges: readonly number[], bests: SplitBests, parts: readonly SplitCounts[]): SplitRanks {
  const { counts } = halfTable(...sides(edges));
  const sum = (of: keyof SplitCounts) => counts.map((_, k) => parts.reduce((total, part) => total + part[of][k], 0));
  return {
    best: bests.best.map((value, k) => sharpe(value, counts[k])),
    partners: bests.partners.map((value, k) => sharpe(value, counts[k ^ 1])),
    below: sum('below'),
    equal: sum('equal'),
  };
}

type Held = readonly [sums: number, squares: number, rows: number, halves: number, halfCount: number];
type Begin<Found> = (
  kernels: Kernels,
  held: Held,
  results: readonly [Float64Array, Float64Array, Float64Array, Float64Array],
) => { readonly take: () => void; readonly finish: () => Found };

/** Calls `take` for a few rows at a time. The results have a value per half, 0 at first. */
function overRows<Found>(
  trials: TrialReturns,
  edges: readonly number[],
  { from, to }: RowRange,
  begin: Begin<Found>,
): Found {
  const [early, late] = sides(edges);
  const sideDoubles = 2 ** (early.length - 1) * ROWS * 2;
  const { table, counts } = halfTable(early, late);
  const memory = sharedMemory();
  const room = memory.allocate(2 * sideDoubles + table.length + 4 * counts.length);
  const kernels = kernelsIn([room]);
  if (kernels === null) throw new Error('the kernels reach their own memory');
  try {
    const halves = room.subarray(2 * sideDoubles, 2 * sideDoubles + table.length);
    halves.set(table);
    const results = room.subarray(2 * sideDoubles + table.length).fill(0);
    const result = (k: number) => results.subarray(k * counts.length, (k + 1) * counts.length);
    const held = [room.byteOffset, 4 * sideDoubles, ROWS, halves.byteOffset, counts.length] as const;
    const { take, finish } = begin(kernels, held, [result(0), result(1), result(2), result(3)]);
    for (let row = from; row < to; row += ROWS) {
      writeSums(trials, row, to, early, room.subarray(0, sideDoubles));
      writeSums(trials, row, to, late, room.subarray(sideDoubles, 2 * sideDoubles));
      take();
    }
    return finish();
  } finally {
    memory.free(room);
  }
}

/** The edges of the earlier and of the later blocks. */
function sides(edges: readonly number[]): [early: number[], late: number[]] {
  const middle = (edges.length - 1) / 2;
  return [edges.slice(0, middle + 1), edges.slice(middle)];
}

const sharpe = (u: number, count: number): number =>
  Math.sign(u) * Math.sqrt((Math.abs(u) * (count - 1)) / (count * (count - Math.abs(u))));

/**
 * Sums of the returns in every union of a few blocks, for `ROWS` rows from `from` on, then their
 * sums of squares. Union `u` holds block `b` when bit `b` of `u` is set. Rows beyond the last get
 * NaN, which is neither below nor above nor equal to anything.
 */
function writeSums(
  { periodCount, values }: TrialReturns,
  from: number,
  to: number,
  edges: readonly number[],
  out: Float64Array,
): void {
  const squaresAt = out.length / 2;
  out.fill(0, 0, ROWS);
  out.fill(SQUARE_MIN, squaresAt, squaresAt + ROWS);
  for (let block = 0; block < edges.length - 1; block++) {
    const single = 1 << block;
    for (let i = 0; i < ROWS; i++) {
      const row = (from + i) * periodCount;
      let sum = from + i < to ? 0 : NaN;
      let squares = 0;
      for (let t = row + edges[block]; t < row + edges[block + 1]; t++) {
        sum += values[t];
        squares += values[t] * values[t];
      }
      out[single * ROWS + i] = sum;
      out[squaresAt + single * ROWS + i] = squares;
    }
    const one = single * ROWS;
    for (let at = one + ROWS; at < 2 * one; at += ROWS) {
      for (let i = 0; i < ROWS; i++) out[at + i] = out[one + i] + out[at - one + i];
      const square = squaresAt + at;
      for (let i = 0; i < ROWS; i++) out[square + i] = out[squaresAt + one + i] + out[square - one + i];
    }
    for (let i = 0; i < ROWS; i++) out[squaresAt + single * ROWS + i] += SQUARE_MIN;
  }
}

/** What the kernels need to join the sums of each half, and the number of periods in it. */
function halfTable(early: readonly number[], late: readonly number[]) {
  const [inEarly, inLate] = [unionCounts(early), unionCounts(late)];
  const masks = blockChoices(early.length - 1);
  const all = inEarly.length - 1;
  const table = new Float64Array(2 * masks.length * HALF_DOUBLES);
  const counts = new Float64Array(2 * masks.length);
  for (const [split, [one, other]] of masks.entries()) {
    for (let side = 0; side < 2; side++) {
      const half = 2 * split + side;
      const [first, second] = side === 0 ? [one, other] : [all ^ one, all ^ other];
      counts[half] = inEarly[first] + inLate[second];
      const offsets = [8 * first * ROWS, 8 * (2 * inEarly.length + second) * ROWS];
      table.set([...offsets, counts[half] * NEARLY], half * HALF_DOUBLES);
    }
  }
  return { table, counts };
}

/** Number of periods in every union. */
function unionCounts(edges: readonly number[]): Float64Array {
  const counts = new Float64Array(2 ** (edges.length - 1));
  for (let union = 1; union < counts.length; union++) {
    const block = 31 - Math.clz32(union);
    counts[union] = counts[union ^ (1 << block)] + edges[block + 1] - edges[block];
  }
  return counts;
}

/**
 * Every choice of half the blocks that contains the first block, as bits of the early and of the
 * late blocks. The other choices are the complements of these.
 */
function blockChoices(sideBits: number): (readonly [early: number, late: number])[] {
  const masks: (readonly [number, number])[] = [];
  for (let mask = 1; mask < 4 ** sideBits; mask += 2) {
    if (bitCount(mask) === sideBits) masks.push([mask & (2 ** sideBits - 1), mask >> sideBits]);
  }
  return masks;
}

function bitCount(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
