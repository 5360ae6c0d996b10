// biome-ignore-all lint/style/noNonNullAssertion: every index lies within columns of one length
import { exponential, SIEVE_HEADS } from '../../engine/sieve/index.js';
import { SplitMix64 } from '../../engine/statistics/index.js';
import type { Examples } from './examples.js';

interface FitOptions {
  readonly seed: number;
  readonly epochs: number;
  /** First step of a weight, which shrinks as its gradients add up. */
  readonly rate: number;
  /** Pull of every weight towards 0, at each of its steps. */
  readonly decay: number;
  /** Features that fewer examples have get no weight. */
  readonly countMin: number;
}

const HEADS = SIEVE_HEADS.length;

/** Weights of one feature after the other, a weight for each head. */
export interface Fitted {
  readonly weights: Float64Array;
  /** Examples that have each feature. */
  readonly counts: Int32Array;
}

/**
 * Fits both regressions by stochastic gradient descent with steps that adapt to each weight
 * (AdaGrad of Duchi, Hazan and Singer 2011). One thread, a seeded order, sums and products alone:
 * the same examples give the same bits everywhere.
 * @param chosen indices of the examples to learn from
 */
export function fit(examples: Examples, chosen: Int32Array, options: FitOptions): Fitted {
  const { seed, epochs, rate, decay, countMin } = options;
  const { listed, starts, ends, features } = examples;
  const counts = new Int32Array(features.length);
  for (const example of chosen) for (let i = starts[example]!; i < starts[example + 1]!; i++) counts[listed[i]!]!++;
  const weights = new Float64Array(features.length * HEADS);
  const squares = new Float64Array(features.length * HEADS).fill(1e-2);
  const random = new SplitMix64(seed);
  const order = chosen.slice();
  const gradient = new Float64Array(HEADS);
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(order, random);
    for (const example of order) {
      const [from, to] = [starts[example]!, starts[example + 1]!];
      readGradient(weights, listed, from, to, ends[example]!, gradient);
      // How a run ends is learned from runs that traded.
      const heads = ends[example] === 0 ? 1 : HEADS;
      for (let i = from; i < to; i++) {
        const feature = listed[i]!;
        if (counts[feature]! < countMin) continue;
        for (let head = 0, at = feature * HEADS; head < heads; head++, at++) {
          const slope = gradient[head]! + decay * weights[at]!;
          squares[at]! += slope * slope;
          weights[at]! -= (rate * slope) / Math.sqrt(squares[at]!);
        }
      }
    }
  }
  return { weights, counts };
}

/** The slope of the loss of one example by the sum of each head. */
function readGradient(
  weights: Float64Array,
  listed: Int32Array,
  from: number,
  to: number,
  end: number,
  gradient: Float64Array,
): void {
  let [none, losing, wash, winning] = [0, 0, 0, 0];
  for (let i = from; i < to; i++) {
    const at = listed[i]! * HEADS;
    none += weights[at]!;
    losing += weights[at + 1]!;
    wash += weights[at + 2]!;
    winning += weights[at + 3]!;
  }
  gradient[0] = 1 / (1 + exponential(-none)) - Number(end === 0);
  if (end === 0) return;
  const top = Math.max(losing, wash, winning);
  const [l, w, g] = [exponential(losing - top), exponential(wash - top), exponential(winning - top)];
  const sum = l + w + g;
  gradient[1] = l / sum - Number(end === 1);
  gradient[2] = w / sum - Number(end === 2);
  gradient[3] = g / sum - Number(end === 3);
}

/** Fisher-Yates. */
function shuffle(order: Int32Array, random: SplitMix64): void {
  for (let i = order.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    const held = order[i]!;
    order[i] = order[j]!;
    order[j] = held;
  }
}
