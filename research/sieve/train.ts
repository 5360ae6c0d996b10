import type { BarStore } from '../../data/bars/index.js';
import { sha256 } from '../../data/hashes/index.js';
import { parseInterval, sharedColumns } from '../../engine/series/index.js';
import { SIEVE_HEADS, Sieve, type SieveModel, WEIGHT_UNIT } from '../../engine/sieve/index.js';
import { aggregateBars } from '../../engine/timeframes/index.js';
import { type Evaluation, evaluate, scoreExamples } from './evaluate.js';
import { addExamples, type ExampleCounts, Examples, toDataset } from './examples.js';
import { type Fitted, fit } from './fit.js';
import { sieveTables } from './page.js';

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
