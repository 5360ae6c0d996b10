// biome-ignore-all lint/style/noNonNullAssertion: every index lies within columns of one length
import type { Sieve, SieveScore } from '../../engine/sieve/index.js';
import { SplitMix64 } from '../../engine/statistics/index.js';
import { classes, type Examples, type Part, parts } from './examples.js';

/** Scores are counted in so many steps from 0 to 1, for the areas under curves. */
const STEPS = 500;
const RESAMPLES = 1_000;
const CURVE_BINS = 10;
const PROBABILITY_MIN = 1e-9;

/** A figure with the 95 % interval of a bootstrap over blocks of time. */
export interface Figure {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Runs whose score lies in one tenth. */
export interface CurvePoint {
  readonly runs: number;
  readonly predicted: number;
  readonly observed: number;
}

/** How well scores tell what happened, on one part of the examples. */
export interface Evaluation {
  readonly part: Part;
  readonly runs: number;
  readonly blocks: number;
  /** Share of the runs that end in each class, in the order of `classes`. */
  readonly shares: readonly number[];
  /** Mean log loss a run; `base` gives every run the shares of the training part. */
  readonly binary: { readonly loss: Figure; readonly base: Figure; readonly gain: Figure; readonly area: Figure };
  readonly four: { readonly loss: Figure; readonly base: Figure; readonly gain: Figure; readonly area: Figure };
  readonly curves: { readonly no_trades: readonly CurvePoint[]; readonly winning: readonly CurvePoint[] };
}

/** Sums over the runs of one block. */
interface Sums {
  runs: number;
  binaryLoss: number;
  binaryBase: number;
  fourLoss: number;
  fourBase: number;
  /** By step of the score: runs of the class, then the others. */
  readonly idle: Float64Array;
  readonly winning: Float64Array;
}

const emptySums = (): Sums => ({
  ...{ runs: 0, binaryLoss: 0, binaryBase: 0, fourLoss: 0, fourBase: 0 },
  idle: new Float64Array(2 * STEPS),
  winning: new Float64Array(2 * STEPS),
});

export const scoreExamples = (examples: Examples, sieve: Sieve): SieveScore[] =>
  examples.ends.map((_, example) => {
    const [from, to] = [examples.starts[example], examples.starts[example + 1]];
    return sieve.score(Array.from(examples.listed.subarray(from, to), (id) => examples.features[id]!));
  });

export function evaluate(examples: Examples, scores: readonly SieveScore[], seed: number): Evaluation[] {
  const trained = classShares(examples, 0);
  return parts.map((_, part) => evaluatePart(examples, scores, { part, trained, seed }));
}

function classShares({ ends, part: partOf }: Examples, part: number): number[] {
  const counts = classes.map(() => 0);
  for (const [example, end] of ends.entries()) if (partOf[example] === part) counts[end]!++;
  const all = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => count / all);
}

interface PartQuestion {
  readonly part: number;
  readonly trained: readonly number[];
  readonly seed: number;
}

function evaluatePart(examples: Examples, scores: readonly SieveScore[], { part, trained, seed }: PartQuestion) {
  const blocks = new Map<number, Sums>();
  const curves = { no_trades: new Curve(), winning: new Curve() };
  for (const [example, end] of examples.ends.entries()) {
    if (examples.part[example] !== part) continue;
    const score = scores[example]!;
    const block = examples.block[example]!;
    const sums = blocks.get(block) ?? emptySums();
    blocks.set(block, sums);
    addTo(sums, score, end, trained);
    curves.no_trades.add(score.no_trades, end === 0);
    curves.winning.add(score.winning, classes[end] === 'winning');
  }
  const all = [...blocks.values()];
  const resamples = resampled(all, new SplitMix64(seed));
  const figure = (of: (sums: Sums) => number): Figure => {
    const sorted = resamples.map(of).sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!;
    return { value: of(joined(all)), low: at(0.025), high: at(0.975) };
  };
  const mean = (key: 'binaryLoss' | 'binaryBase' | 'fourLoss' | 'fourBase') => figure((sums) => sums[key] / sums.runs);
  return {
    part: parts[part]!,
    runs: joined(all).runs,
    blocks: all.length,
    shares: classShares(examples, part),
    binary: {
      loss: mean('binaryLoss'),
      base: mean('binaryBase'),
      gain: figure((sums) => (sums.binaryBase - sums.binaryLoss) / sums.runs),
      area: figure((sums) => areaUnderCurve(sums.idle)),
    },
    four: {
      loss: mean('fourLoss'),
      base: mean('fourBase'),
      gain: figure((sums) => (sums.fourBase - sums.fourLoss) / sums.runs),
      area: figure((sums) => areaUnderCurve(sums.winning)),
    },
    curves: { no_trades: curves.no_trades.points(), winning: curves.winning.points() },
  };
}

const logLoss = (probability: number): number => -Math.log(Math.max(PROBABILITY_MIN, probability));

function addTo(sums: Sums, score: SieveScore, end: number, trained: readonly number[]): void {
  const isIdle = end === 0;
  sums.runs++;
  sums.binaryLoss += logLoss(isIdle ? score.no_trades : 1 - score.no_trades);
  sums.binaryBase += logLoss(isIdle ? trained[0]! : 1 - trained[0]!);
  sums.fourLoss += logLoss(score[classes[end]!]);
  sums.fourBase += logLoss(trained[end]!);
  sums.idle[2 * probabilityStep(score.no_trades) + Number(!isIdle)]!++;
  sums.winning[2 * probabilityStep(score.winning) + Number(classes[end] !== 'winning')]!++;
}

const probabilityStep = (probability: number): number => Math.min(STEPS - 1, Math.floor(probability * STEPS));

/** Runs of one block depend on the same market, so whole blocks are drawn. */
const resampled = (blocks: readonly Sums[], random: SplitMix64): Sums[] =>
  Array.from({ length: RESAMPLES }, () => joined(blocks.map(() => blocks[random.below(blocks.length)]!)));

function joined(blocks: readonly Sums[]): Sums {
  const all = emptySums();
  for (const block of blocks) {
    for (const key of ['runs', 'binaryLoss', 'binaryBase', 'fourLoss', 'fourBase'] as const) all[key] += block[key];
    for (let i = 0; i < 2 * STEPS; i++) {
      all.idle[i]! += block.idle[i]!;
      all.winning[i]! += block.winning[i]!;
    }
  }
  return all;
}

/**
 * Area under the curve of the receiver: the chance that a run of the class has a higher score than
 * another run, ties counted half.
 */
function areaUnderCurve(counts: Float64Array): number {
  let [below, pairs, inClass] = [0, 0, 0];
  for (let step = 0; step < counts.length / 2; step++) {
    const [yes, no] = [counts[2 * step]!, counts[2 * step + 1]!];
    pairs += yes * (below + no / 2);
    below += no;
    inClass += yes;
  }
  return pairs / (inClass * below);
}

/** Predicted against observed shares, by tenths of the predicted probability. */
class Curve {
  readonly #runs = new Float64Array(CURVE_BINS);
  readonly #predicted = new Float64Array(CURVE_BINS);
  readonly #observed = new Float64Array(CURVE_BINS);

  add(probability: number, isTrue: boolean): void {
    const bin = Math.min(CURVE_BINS - 1, Math.floor(probability * CURVE_BINS));
    this.#runs[bin]!++;
    this.#predicted[bin]! += probability;
    this.#observed[bin]! += Number(isTrue);
  }

  points(): CurvePoint[] {
    return Array.from(this.#runs, (runs, bin) => ({
      runs,
      predicted: this.#predicted[bin]! / runs,
      observed: this.#observed[bin]! / runs,
    }));
  }
}
