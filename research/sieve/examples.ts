import { sha256 } from '../../data/hashes/index.js';
import { metricNames } from '../../engine/metrics/index.js';
import { type BarSeries, DAY_MS, firstBarFrom, formatInterval } from '../../engine/series/index.js';
import { MARKET_BARS, marketBefore, ruleFeatures, setupFeatures } from '../../engine/sieve/index.js';
import { BarsWithinReach } from '../../engine/simd/index.js';
import { SplitMix64 } from '../../engine/statistics/index.js';
import { rulesText, type SweepDataset, WindowKernels } from '../../engine/sweep/index.js';
import { type PooledRule, Strategies } from './strategies.js';

/** How a run ended, in the order of the heads of the model. */
export const classes = ['no_trades', 'losing', 'wash', 'winning'] as const;

/** A run is a wash if it gains or loses at most this share of its first balance. */
const WASH_RETURN = 0.01;

/** Examples end before this time or begin after it. */
const CUT_MS = Date.UTC(2023, 6, 1);

/** Where examples come from; the model learns from the first part alone. */
export const parts = ['training', 'later', 'other asset', 'other asset, later'] as const;
export type Part = (typeof parts)[number];

/** Bars of a window, drawn so that each doubling is as likely. */
const WINDOW_MIN = 100;
const WINDOW_MAX = 50_000;
/** Windows whose market the features do not tell, as a run over a whole series has none. */
const MARKET_HIDDEN = 0.3;
const MASK_BYTES_MAX = 512 * 1024 * 1024;
/** Windows that begin within one such span count as one draw of the market. */
const BLOCK_DAYS = 60;

/** A series to draw examples from. */
interface SieveSeries {
  readonly dataset: SweepDataset;
  readonly bars: BarSeries;
  /** Whether the model may learn from it. */
  readonly isTrained: boolean;
}

export interface ExampleCounts {
  /** Random samples whose rules make the pool of a series. */
  readonly samples: number;
  /** Windows of a series that the model learns from, and of one that it does not see. */
  readonly windows: number;
  readonly heldOutWindows: number;
  readonly runsPerWindow: number;
}

/** How a run ended, and where it comes from. */
interface Ended {
  /** Index in `classes`. */
  readonly end: number;
  /** Index in `parts`. */
  readonly part: number;
  /** Number of the span of time in which its window begins. */
  readonly block: number;
  /** Tells its strategy, settings and series from all others. */
  readonly strategy: string;
}

/** Runs with their features and ends. */
export class Examples {
  readonly #ids = new Map<string, number>();
  readonly features: string[] = [];
  readonly starts: number[] = [0];
  #listed = new Int32Array(1 << 20);
  readonly ends: number[] = [];
  readonly part: number[] = [];
  readonly block: number[] = [];
  readonly #strategies = new Set<string>();

  /** Strategies to learn from that differ in rules, settings or series. */
  get strategies(): number {
    return this.#strategies.size;
  }

  get count(): number {
    return this.ends.length;
  }

  /** Ids of the features of all examples, one after the other. */
  get listed(): Int32Array {
    return this.#listed;
  }

  featureId(feature: string): number {
    let id = this.#ids.get(feature);
    if (id === undefined) {
      id = this.features.length;
      this.#ids.set(feature, id);
      this.features.push(feature);
    }
    return id;
  }

  add(ids: readonly (readonly number[])[], { end, part, block, strategy }: Ended): void {
    if (part === 0) this.#strategies.add(strategy);
    let at = this.starts[this.count] as number;
    for (const some of ids) {
      for (const id of some) {
        if (at === this.#listed.length) {
          const larger = new Int32Array(2 * at);
          larger.set(this.#listed);
          this.#listed = larger;
        }
        this.#listed[at++] = id;
      }
    }
    this.starts.push(at);
    this.ends.push(end);
    this.part.push(part);
    this.block.push(block);
  }
}

interface Window {
  readonly from: number;
  readonly to: number;
  readonly part: number;
}

/** Adds the examples of one series. */
export function addExamples(
  series: SieveSeries,
  { samples, windows, heldOutWindows, runsPerWindow }: ExampleCounts,
  seed: number,
  examples: Examples,
): void {
  const { dataset, isTrained } = series;
  const reach = new BarsWithinReach();
  const bars = reach.hold(series.bars);
  const strategies = new Strategies(dataset, seed, samples);
  const kernels = new WindowKernels(strategies.definition, bars, MASK_BYTES_MAX);
  const random = new SplitMix64(seed + 1);
  const cut = firstBarFrom(bars, CUT_MS);
  const early = isTrained ? 'training' : 'other asset';
  const late = isTrained ? 'later' : 'other asset, later';
  const drawn = [
    ...drawWindows(0, cut, isTrained ? windows : heldOutWindows, early, random),
    ...drawWindows(cut, bars.barCount, heldOutWindows, late, random),
  ];
  const context = { bars, strategies, examples, ruleFeatureIds: idsOfRules(bars.intervalMs, examples) };
  for (const window of drawn) {
    const kernel = kernels.over({ from: window.from, to: window.to, start_date: '', end_date: '' });
    const isHidden = random.uniform() < MARKET_HIDDEN;
    const market = isHidden ? null : marketBefore(bars, window.from);
    for (let k = 0; k < runsPerWindow; k++) addRun(context, window, kernel, market);
    kernel.release();
  }
  kernels.release();
  reach.leave();
}

/** Windows with enough bars before them, within a range of bars. */
function drawWindows(from: number, to: number, count: number, part: Part, random: SplitMix64): Window[] {
  const least = Math.max(from, MARKET_BARS);
  const room = to - least;
  if (room < WINDOW_MIN) return [];
  let doublings = 0;
  while (WINDOW_MIN * 2 ** (doublings + 1) <= Math.min(room, WINDOW_MAX)) doublings++;
  return Array.from({ length: count }, () => {
    const base = WINDOW_MIN * 2 ** random.below(doublings + 1);
    const length = Math.min(room, WINDOW_MAX, Math.floor(base * (1 + random.uniform())));
    const first = least + random.below(room - length + 1);
    return { from: first, to: first + length, part: parts.indexOf(part) };
  });
}

interface Context {
  readonly bars: BarSeries;
  readonly strategies: Strategies;
  readonly examples: Examples;
  readonly ruleFeatureIds: (side: 'entry' | 'exit', rule: PooledRule) => readonly number[];
}

const values = new Float64Array(metricNames.length);
const RETURN = metricNames.indexOf('total_return');

function addRun(
  { bars, strategies, examples, ruleFeatureIds }: Context,
  { from, to, part }: Window,
  kernel: ReturnType<WindowKernels['over']>,
  market: ReturnType<typeof marketBefore>,
): void {
  const { run, entry, exit } = strategies.next();
  const { intervalMs } = bars;
  const config = strategies.definition.variants.config(run.variant, intervalMs);
  const planned = (rules: readonly PooledRule[]) => rules.map((rule) => rule.planned);
  const input = { entry: planned(entry), exit: planned(exit), config, intervalMs, windowBars: to - from, market };
  const ids = [
    setupFeatures(input).map((feature) => examples.featureId(feature)),
    ...entry.map((rule) => ruleFeatureIds('entry', rule)),
    ...exit.map((rule) => ruleFeatureIds('exit', rule)),
  ];
  const traded = kernel.run(run, values) === 'ok';
  const block = Math.floor((bars.time[from] as number) / (BLOCK_DAYS * DAY_MS));
  const end = classes.indexOf(traded ? classifyReturn(values[RETURN] as number) : 'no_trades');
  const { dataset, variant } = run;
  const strategy = [
    dataset.asset,
    dataset.timeframe,
    variant,
    rulesText(run.entry, dataset),
    rulesText(run.exit, dataset),
  ];
  examples.add(ids, { end, part, block, strategy: sha256(strategy.join(' ')) });
}

/** How a run that traded ended. */
export function classifyReturn(totalReturn: number): 'losing' | 'wash' | 'winning' {
  if (Math.abs(totalReturn) <= WASH_RETURN) return 'wash';
  return totalReturn < 0 ? 'losing' : 'winning';
}

/** Features of pooled rules, each computed once. */
function idsOfRules(intervalMs: number, examples: Examples) {
  const known = { entry: new Map<PooledRule, number[]>(), exit: new Map<PooledRule, number[]>() };
  return (side: 'entry' | 'exit', rule: PooledRule): readonly number[] => {
    let ids = known[side].get(rule);
    if (ids === undefined) {
      ids = ruleFeatures(side, rule.planned, intervalMs).map((feature) => examples.featureId(feature));
      known[side].set(rule, ids);
    }
    return ids;
  };
}

/** The dataset of bars, which a sweep wants by name. */
export const toDataset = (asset: string, bars: BarSeries): SweepDataset => ({
  asset,
  timeframe: formatInterval(bars.intervalMs),
  file: '',
  hash: '',
  rows: bars.barCount,
  start_date: '',
  end_date: '',
  columns: [],
  added: {},
});
