import type {
  AliasedMetrics,
  BacktestWork,
  Diagnostics,
  RunDetails,
  RunOutcome,
  Window,
} from '../../engine/backtest/index.js';
import type { Trade } from '../../engine/execution/index.js';
import type { BarSeries } from '../../engine/series/index.js';
import type { DeniedSignal } from '../../engine/strategy/index.js';

/** A series as the page and its engine name it. */
export interface SeriesName {
  readonly asset: string;
  readonly interval: string;
}

export const seriesKey = ({ asset, interval }: SeriesName): string => `${asset} ${interval}`;

/** One run over series that the engine holds. */
export interface RunRequest {
  readonly series: SeriesName;
  /** A definition as JSON. */
  readonly strategy: unknown;
  /** Execution settings as a user writes them. */
  readonly settings: unknown;
  /** Null for all bars. */
  readonly window: Window | null;
}

/** Why a request cannot be answered, as the engine says it. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface RunAnswer {
  /** Bars of the series that the run read: from, the first tradable one, one past the last. */
  readonly bars: { readonly from: number; readonly first: number; readonly end: number };
  /** At the close of each tradable bar. */
  readonly equity: Float64Array;
  /** Worth of the same cash, spent on the asset at the first open. */
  readonly holding: Float64Array;
  readonly metrics: AliasedMetrics;
  /** Bars are counted from `bars.from`. */
  readonly trades: readonly Trade[];
  /** Why nothing was traded, and what to change; null where something was. */
  readonly verdict: string | null;
  /** Settings as resolved for the run. */
  readonly config: BacktestWork['config'];
  readonly denied: readonly DeniedSignal[];
  readonly warnings: readonly string[];
  readonly elapsedMs: number;
}

export interface DetailsAnswer extends RunDetails {
  readonly diagnostics: Diagnostics;
  readonly warnings: readonly string[];
}

/** All of a run, to be compared bit for bit. */
export type WholeRun = RunOutcome & RunDetails;

/** A number with its bounds: a parameter of a signal, or a setting. */
export interface FieldSpec {
  readonly name: string;
  readonly kind: 'integer' | 'number' | 'boolean' | 'choice' | 'text' | 'other';
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** Bounds that are not in the range. */
  readonly above?: number | undefined;
  readonly below?: number | undefined;
  readonly choices?: readonly string[] | undefined;
  readonly default: unknown;
  readonly isNullable?: boolean | undefined;
  readonly unit?: string | undefined;
  readonly description: string;
  /** Section of a setting. */
  readonly section?: string | undefined;
}

export interface SignalSpec {
  readonly name: string;
  readonly type: 'TRIGGER' | 'FILTER';
  readonly category: string;
  readonly bias: string;
  readonly description: string;
  readonly definition: string;
  readonly fitsAnyRole: boolean;
  readonly requires: readonly string[];
  readonly params: readonly FieldSpec[];
}

/** What can be written in a strategy. */
export interface Catalogue {
  readonly signals: readonly SignalSpec[];
  readonly settings: readonly FieldSpec[];
  /** Functions of formulas, each with its parameters and meaning. */
  readonly functions: readonly { readonly name: string; readonly signature: string; readonly meaning: string }[];
  readonly timeframes: readonly string[];
}

/** Requests that the thread answers, by kind: what is asked, and what is answered. */
export interface Calls {
  readonly catalogue: { readonly asked: null; readonly answer: Catalogue };
  /** Takes the bars of an Arrow stream; answers them in shared memory. */
  readonly load: { readonly asked: SeriesName & { readonly ipc: ArrayBuffer }; readonly answer: BarSeries };
  /** The series that a run reads beside its own: of assets that its rules name, and of finer bars. */
  readonly needs: { readonly asked: RunRequest; readonly answer: readonly SeriesName[] };
  readonly forget: { readonly asked: SeriesName; readonly answer: null };
  readonly run: { readonly asked: RunRequest; readonly answer: RunAnswer };
  readonly details: { readonly asked: RunRequest; readonly answer: DetailsAnswer };
  readonly whole: { readonly asked: RunRequest; readonly answer: WholeRun };
}

export type CallKind = keyof Calls;

export type CallMessage = {
  readonly [Kind in CallKind]: { readonly ticket: number; readonly kind: Kind; readonly asked: Calls[Kind]['asked'] };
}[CallKind];

export type ReplyMessage =
  | { readonly ticket: number; readonly answer: Calls[CallKind]['answer'] }
  | { readonly ticket: number; readonly refusal: Refusal };
