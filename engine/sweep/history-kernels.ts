import { type BarSeries, firstBarFrom, historyFrom, parseInterval, sliceBars } from '../series/index.js';
import { ruleHistoryMs, settingsHistoryMs } from '../strategy/plan.js';
import type { RuleChoice } from './choice-space.js';
import { type FoldWindow, type FurtherSeries, noFurther, type SweepDefinition } from './definition.js';
import { SweepKernel } from './kernel.js';
import type { SweepRun } from './run.js';
import type { SignalSpace } from './signal-space.js';

/** Bars to run on, from `startMs` on; the ones before are history. Without a start all are tradable. */
interface TradedBars {
  readonly bars: BarSeries;
  readonly startMs: number;
  readonly further?: FurtherSeries;
}

/**
 * The bars of a training or test window of a series. Those before it are history, so a run over it
 * is the backtest between its days.
 */
export function tradedIn(series: Omit<TradedBars, 'startMs'>, { start_date, to }: FoldWindow): TradedBars {
  const { further = noFurther } = series;
  const bars = sliceBars(series.bars, 0, to);
  // Rules on the asset itself read the same bars.
  const others = Object.entries(further.others).map(([name, other]) => [name, other === series.bars ? bars : other]);
  const read = { ...further, others: Object.fromEntries(others) as FurtherSeries['others'] };
  return { bars, startMs: Date.parse(start_date), further: read };
}

/** The bars of a run with the history that it reads, as its backtest loads them. */
interface RunBars {
  readonly bars: BarSeries;
  /** Index of the first tradable bar. */
  readonly first: number;
  readonly further: FurtherSeries;
}

/** Kernels that are kept: of so many lengths of history, the latest used ones. */
const KERNELS_MAX = 16;

/**
 * The kernels of a sweep over a window of a series. A recursive average depends on where its bars
 * begin, so each run reads just the history that its backtest would load: of its longest rule and of
 * its settings. Runs that need the same share a kernel with its masks and columns, and no bar before
 * that history is read.
 */
export class HistoryKernels {
  /** By index of the first bar of the history, least recently used first. */
  readonly #kernels = new Map<number, SweepKernel>();
  readonly #history: HistoryOfRuns;
  readonly #first: number;

  /** @param cacheBytesMax of masks and columns, which the kernels share */
  constructor(
    private readonly definition: SweepDefinition,
    private readonly traded: TradedBars,
    private readonly cacheBytesMax: number,
  ) {
    this.#history = new HistoryOfRuns(definition, traded.bars.intervalMs);
    this.#first = firstBarFrom(traded.bars, traded.startMs);
  }

  over(run: SweepRun): SweepKernel {
    const needed = this.#first === 0 ? 0 : this.#history.ms(run);
    const from = this.#first === 0 ? 0 : historyFrom(this.traded.bars, this.traded.startMs, needed);
    const known = this.#kernels.get(from);
    if (known !== undefined) {
      if (this.#kernels.size > 1) this.#use(from, known);
      return known;
    }
    const { bars, first, further } = cutTo(this.traded, this.#first, from, needed);
    const share = () => Math.floor(this.cacheBytesMax / this.#kernels.size);
    const made = new SweepKernel(this.definition, bars, first, share, further);
    this.#use(from, made);
    const [oldest] = this.#kernels.keys();
    if (this.#kernels.size > KERNELS_MAX && oldest !== undefined) {
      this.#kernels.get(oldest)?.release();
      this.#kernels.delete(oldest);
    }
    return made;
  }

  #use(from: number, kernel: SweepKernel): void {
    this.#kernels.delete(from);
    this.#kernels.set(from, kernel);
  }

  release(): void {
    for (const kernel of this.#kernels.values()) kernel.release();
    this.#kernels.clear();
  }
}

/** The bars of one run of a sweep with its history. */
export function barsOfRun(run: SweepRun, definition: SweepDefinition, traded: TradedBars): RunBars {
  const first = firstBarFrom(traded.bars, traded.startMs);
  if (first === 0) return { bars: traded.bars, first, further: traded.further ?? noFurther };
  const needed = new HistoryOfRuns(definition, traded.bars.intervalMs).ms(run);
  return cutTo(traded, first, historyFrom(traded.bars, traded.startMs, needed), needed);
}

function cutTo({ bars, further = noFurther }: TradedBars, first: number, from: number, historyMs: number): RunBars {
  const cut = from === 0 ? bars : sliceBars(bars, from, bars.barCount);
  const others = Object.entries(further.others).map(([name, other]): [string, BarSeries] => {
    if (other === bars) return [name, cut];
    return [name, sliceBars(other, historyFrom(other, bars.time[first], historyMs), other.barCount)];
  });
  return { bars: cut, first: first - from, further: { ...further, others: Object.fromEntries(others) } };
}

/** The history that runs need before their window, in ms. */
class HistoryOfRuns {
  readonly #ofRules = new WeakMap<SignalSpace, Map<number, number>>();
  readonly #ofVariants = new Map<number, number>();

  constructor(
    private readonly definition: SweepDefinition,
    private readonly intervalMs: number,
  ) {}

  ms({ entry, exit, short, variant }: SweepRun): number {
    let longest = this.#ofVariant(variant);
    for (const choice of entry) longest = Math.max(longest, this.#ofRule(choice));
    for (const choice of exit) longest = Math.max(longest, this.#ofRule(choice));
    for (const choice of short?.entry ?? []) longest = Math.max(longest, this.#ofRule(choice));
    for (const choice of short?.exit ?? []) longest = Math.max(longest, this.#ofRule(choice));
    return longest;
  }

  #ofVariant(variant: number): number {
    const { definition, intervalMs } = this;
    const known = this.#ofVariants.get(variant);
    const ms = known ?? settingsHistoryMs(definition.variants.config(variant, intervalMs), intervalMs);
    if (known === undefined) this.#ofVariants.set(variant, ms);
    return ms;
  }

  #ofRule({ space, combination }: RuleChoice): number {
    const known = this.#ofRules.get(space) ?? new Map<number, number>();
    this.#ofRules.set(space, known);
    let ms = known.get(combination);
    if (ms === undefined) {
      const { signal, timeframe, reach } = space.definition;
      const timeframeMs = timeframe === null ? this.intervalMs : parseInterval(timeframe);
      ms = ruleHistoryMs({ signal, params: space.params(combination), timeframeMs, ...reach });
      known.set(combination, ms);
    }
    return ms;
  }
}
