import type { MetricName } from '../metrics/index.js';
import type { BarSeries } from '../series/index.js';
import type { Signal } from '../signals/signal.js';
import type { OtherBars } from '../strategy/index.js';
import type { WindowDates } from './dataset-name.js';
import type { SweepSignal } from './signal-space.js';
import type { Variants } from './variants.js';

/** One series of bars to run on, or the training window of one fold of it. */
export interface SweepDataset {
  readonly asset: string;
  /** `1h` */
  readonly timeframe: string;
  readonly file: string;
  /** `sha256:` and hex digits. */
  readonly hash: string;
  /** Bars in the window. */
  readonly rows: number;
  /** `2024-01-31` */
  readonly start_date: string;
  readonly end_date: string;
  /** Columns of the data beside the bars. */
  readonly columns: readonly string[];
  /**
   * Content hashes of the columns that are not part of `hash`, by name; in a definition only of
   * columns that its rules read.
   */
  readonly added: Readonly<Record<string, string>>;
  /** Names of the generated ones among the added columns. */
  readonly generated?: readonly string[];
  /** What to know of its bars, such as that some are drawn. */
  readonly notes?: readonly string[];
  /** The further series that its runs may read; absent where they read none. */
  readonly further?: readonly FurtherRead[];
  /** Its days where the sweep searches a window of the series; of a fold the days of its source. */
  readonly window?: WindowDates;
  readonly fold?: Fold;
}

/** A series that runs on a dataset may read beside its bars. */
export interface FurtherRead {
  /** The asset as rules spell it, or the interval as `detail_interval` spells it. */
  readonly name: string;
  readonly asset: string;
  readonly interval: string;
  /** Interval of the stored bars if these were aggregated from them, else null. */
  readonly aggregated_from: string | null;
  readonly content_hash: string;
  /** Whether rules read it, or the order of events inside bars. */
  readonly use: 'rules' | 'detail';
}

/** Bars of the further series of a dataset. */
export interface FurtherSeries {
  /** By the asset as rules spell it. */
  readonly others: OtherBars;
  /** By the interval as `detail_interval` spells it. */
  readonly details: Readonly<Record<string, BarSeries>>;
}

/** The further series of a dataset whose runs read none. */
export const noFurther: FurtherSeries = { others: {}, details: {} };

export interface WalkForwardSettings {
  /** Training windows of one length, or windows that all begin with the data and grow. */
  readonly mode: 'rolling' | 'anchored';
  /** Length of the training windows; of the first one when they grow. */
  readonly trainDays: number;
  readonly testDays: number;
  /**
   * Days between training and test, so that what trades or indicators carry over the border stays
   * out of the test.
   */
  readonly embargoDays: number;
  readonly metric: MetricName;
}

/** Whole UTC days, and the bars that open and close within them. */
export interface FoldWindow {
  /** `2024-01-31`, both inclusive. */
  readonly start_date: string;
  readonly end_date: string;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** One step of a walk-forward sweep. */
export interface Fold {
  /** Windows are shifted by the test days times this. */
  readonly index: number;
  /** Index of its dataset in the list of the sweep. */
  readonly source: number;
  readonly train: FoldWindow;
  readonly test: FoldWindow;
}

export interface Selection {
  readonly triggers: readonly SweepSignal[];
  readonly filters: readonly SweepSignal[];
  readonly filterMin: number;
  readonly filterMax: number;
}

/**
 * The rules of a side: one selection, or one for each group of `any`. A side with several holds
 * when the rules of one of them do.
 */
export type SideSelection = readonly Selection[];

/**
 * Whether each entry of a grid or tpe search must have a filter, of either side and in each group of
 * `any`. A relaxed sweep need not, and its rules may run on weeks.
 */
export type SweepComposition = 'documented' | 'relaxed';

/** What the rules of a sweep may name. */
export interface Nameable {
  readonly datasets: readonly SweepDataset[];
  /** Signals of the author's own. */
  readonly own: readonly Signal[];
  readonly composition: SweepComposition;
}

/** How many rules a random sample draws, each count between its bounds. */
export interface RandomSignals {
  readonly min_entry_filters: number;
  readonly max_entry_filters: number;
  readonly min_exit_triggers: number;
  readonly max_exit_triggers: number;
  readonly min_exit_filters: number;
  readonly max_exit_filters: number;
}

/** How a Tree-structured Parzen Estimator searches. */
export interface TpeSettings {
  /** Runs per dataset. */
  readonly trials: number;
  /** Trials at the start, drawn without a model. */
  readonly startupTrials: number;
  /** Trials that are proposed together, from the results of earlier ones. */
  readonly batch: number;
  /** Draws among which the model chooses one trial. */
  readonly candidates: number;
  /** Share of the trials that count as good. */
  readonly goodFraction: number;
  /** The metric to optimize, in the direction that its table calls better. */
  readonly metric: MetricName;
}

/** What a sweep lets a trained model do, beside proving that a run cannot trade. */
export interface SieveUse {
  /** Runs of a dataset come in the order of their chance to win, the highest first. */
  readonly order: boolean;
  /** Runs with a higher chance of no trade are skipped; 1 skips none. */
  readonly noTradesMax: number;
  /** Runs with a lower chance to win are skipped; 0 skips none. */
  readonly winningMin: number;
}

/** The search of a sweep, read and checked by `readSweep`. */
export interface SweepDefinition {
  readonly name: string;
  /** 0..2^53-1 */
  readonly seed: number;
  readonly mode: 'grid' | 'random' | 'tpe';
  /** In a walk-forward sweep, every dataset once per fold. */
  readonly datasets: readonly SweepDataset[];
  readonly walkForward: WalkForwardSettings | null;
  readonly entry: SideSelection;
  readonly exit: SideSelection;
  /** The rules of the short side; null in a sweep that is long only. */
  readonly short: { readonly entry: SideSelection; readonly exit: SideSelection } | null;
  /** Combinations drawn from a grid; null means all of them. */
  readonly combinationCount: number | null;
  /** Samples per dataset of a random search. */
  readonly sampleCount: number;
  readonly randomSignals: RandomSignals;
  /** Null in other modes. */
  readonly tpe: TpeSettings | null;
  readonly variants: Variants;
  /** Skips configurations whose probability of never trading, 0 or 1, is above the threshold. */
  readonly preFilter: { readonly enabled: boolean; readonly confidence_threshold: number };
  /** Null unless the sweep asks for it. */
  readonly sieve: SieveUse | null;
}

/** The verdict on a sweep before it is planned. */
export interface SweepReading {
  /** Null when there are errors. */
  readonly definition: SweepDefinition | null;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}
