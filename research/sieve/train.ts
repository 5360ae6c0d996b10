// biome-ignore-all lint/style/noNonNullAssertion: every index lies within columns of one length
import type { BarStore } from '../../data/bars/index.js';
import { sha256 } from '../../data/hashes/index.js';
import { parseInterval, sharedColumns } from '../../engine/series/index.js';
import { exponential, SIEVE_HEADS, Sieve, type SieveModel, WEIGHT_UNIT } from '../../engine/sieve/index.js';
import { SplitMix64 } from '../../engine/statistics/index.js';
import { aggregateBars } from '../../engine/timeframes/index.js';
import { type CurvePoint, type Evaluation, evaluate, type Figure, scoreExamples } from './evaluate.js';
import { addExamples, classes, type ExampleCounts, Examples, toDataset } from './examples.js';

/** Changes with the features, the classes or the form of the model. */
const MODEL_NAME = 'barline-sieve-1';

/** The bundled series: training reads the first asset's series, up to a time. */
const series = [
  { asset: 'BTC', from: '5m', timeframes: ['5m', '15m', '30m'], isTrained: true },
  { asset: 'BTC', from: '1h', timeframes: ['1h', '4h', '1d'], isTrained: true },
  { asset: 'ETH', from: '1h', timeframes: ['1h', '4h', '1d'], isTrained: false },
] as const;

const SEED = 19;
const HASH_DIGITS = 12;
/** Five settings were tried; they hardly differ (docs/sieve.md), and the first one stayed. */
const fitting = { seed: SEED, epochs: 4, rate: 0.05, decay: 1e-4, countMin: 20 };

/** The counts of the model that ships. */
const fullCounts: ExampleCounts = { samples: 3_000, windows: 700, heldOutWindows: 250, runsPerWindow: 50 };

interface TrainingRequest {
  readonly store: Pick<BarStore, 'load'>;
  /** Fewer for tests; the model that ships has the full ones. */
  readonly counts?: ExampleCounts;
  /** Called with each series when its runs are done. */
  readonly onSeries?: (asset: string, timeframe: string, runs: number) => void;
}

/** What a training makes. */
interface TrainedSieve {
  /** The model as its file holds it. */
  readonly text: string;
  readonly features: number;
  /** Different strategies that the model learned from. */
  readonly strategies: number;
  readonly evaluations: readonly Evaluation[];
  /** As `readSieve` will find it. */
  readonly version: string;
  /** The figures for the page, as Markdown. */
  readonly tables: string;
}

/**
 * Draws strategies, runs them, learns which trade and how they end, and measures the model on runs
 * that it has not seen. The same bars and code give the same bytes.
 */
export async function trainSieve({ store, counts = fullCounts, onSeries }: TrainingRequest): Promise<TrainedSieve> {
  const examples = new Examples();
  let seed = SEED;
  for (const { asset, from, timeframes, isTrained } of series) {
    const { bars: source } = await store.load({ asset, intervalMs: parseInterval(from) });
    for (const timeframe of timeframes) {
      const bars = timeframe === from ? source : aggregateBars(source, parseInterval(timeframe), sharedColumns).bars;
      addExamples({ dataset: toDataset(asset, bars), bars, isTrained }, counts, seed, examples);
      seed += 2;
      onSeries?.(asset, timeframe, examples.count);
    }
  }
  const learned = Int32Array.from(examples.ends.keys()).filter((example) => examples.part[example] === 0);
  const weights = wholeWeights(examples.features, fit(examples, learned, fitting));
  const sieve = new Sieve({ name: MODEL_NAME, weights });
  const text = modelText(weights);
  const made = {
    version: `${MODEL_NAME}:${sha256(text).slice(0, HASH_DIGITS)}`,
    features: Object.keys(weights).length,
    strategies: examples.strategies,
    evaluations: evaluate(examples, scoreExamples(examples, sieve), SEED),
  };
  return { ...made, text, tables: sieveTables({ ...made, bytes: Buffer.byteLength(text) }) };
}

/** Features by name, with weights in thousandths; features of weight 0 are left out. */
function wholeWeights(features: readonly string[], { weights }: Fitted): SieveModel['weights'] {
  const heads = SIEVE_HEADS.length;
  const whole: [string, number[]][] = [];
  for (const [feature, name] of features.entries()) {
    const some = Array.from(weights.subarray(feature * heads, (feature + 1) * heads), (weight) =>
      Math.round(weight * WEIGHT_UNIT),
    ).map((weight) => weight + 0); // no -0
    if (some.some((weight) => weight !== 0)) whole.push([name, some]);
  }
  return Object.fromEntries(whole.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** JSON with a line for each feature, so that two models can be compared. */
function modelText(weights: SieveModel['weights']): string {
  const lines = Object.entries(weights).map(([feature, some]) => `${JSON.stringify(feature)}:${JSON.stringify(some)}`);
  return `{"name":${JSON.stringify(MODEL_NAME)},"weights":{\n${lines.join(',\n')}\n}}\n`;
}

const DECIMALS = 3;
const within = ({ value, low, high }: Figure): string =>
  `${value.toFixed(DECIMALS)} (${low.toFixed(DECIMALS)} to ${high.toFixed(DECIMALS)})`;
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
// Bounded because a number has at most 310 digits.
const count = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, k) => (k === 0 ? '---' : '--:')), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** What the training measured, for the page about the sieve. */
interface SieveFigures {
  readonly version: string;
  readonly bytes: number;
  readonly features: number;
  readonly strategies: number;
  readonly evaluations: readonly Evaluation[];
}

/** The tables of the page, as Markdown. */
function sieveTables({ version, bytes, features, strategies, evaluations }: SieveFigures): string {
  const last = evaluations.at(-1);
  if (last === undefined) throw new Error('nothing was evaluated');
  const runs = evaluations.reduce((sum, one) => sum + one.runs, 0);
  return [
    `Model \`${version}\`: ${count(features)} features, ${count(bytes)} bytes. ${count(runs)} runs, of which the model`,
    `learned from ${count(evaluations[0]?.runs ?? 0)}, with ${count(strategies)} different strategies.`,
    '',
    '### Does it trade?',
    '',
    lossTable(evaluations, 'binary', 'AUC of no trades'),
    '',
    '### How does it end?',
    '',
    lossTable(evaluations, 'four', 'AUC of winning'),
    '',
    '### How runs ended',
    '',
    table(
      ['runs', 'number', 'blocks', ...classes],
      evaluations.map(({ part, runs: number, blocks, shares }) => [
        ...[part, count(number), String(blocks)],
        ...shares.map(percent),
      ]),
    ),
    '',
    `### Calibration on the ${last.part}`,
    '',
    table(
      ['predicted', 'no trades: runs', 'mean score', 'happened', 'winning: runs', 'mean score', 'happened'],
      last.curves.no_trades.map((point, bin) => [
        `${bin / 10} to ${(bin + 1) / 10}`,
        ...cells(point),
        ...cells(last.curves.winning[bin]),
      ]),
    ),
  ].join('\n');
}

const lossTable = (evaluations: readonly Evaluation[], head: 'binary' | 'four', area: string): string =>
  table(
    ['runs', 'log loss', 'of the base rate', 'gain', area],
    evaluations.map((one) => [
      one.part,
      within(one[head].loss),
      one[head].base.value.toFixed(DECIMALS),
      within(one[head].gain),
      within(one[head].area),
    ]),
  );

/** A tenth without runs has no shares. */
function cells(point: CurvePoint | undefined): string[] {
  if (point === undefined || point.runs === 0) return ['0', '-', '-'];
  return [count(point.runs), point.predicted.toFixed(DECIMALS), point.observed.toFixed(DECIMALS)];
}

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
interface Fitted {
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
function fit(examples: Examples, chosen: Int32Array, options: FitOptions): Fitted {
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
