import type { SweepDataset } from '../../../engine/sweep/index.js';
import { type ChunkResult, type SweepThreads, startThreads, type ThreadOptions } from '../../../workers/index.js';
import type { SharedReads } from '../kept-bars.js';
import type { PortfolioWindow } from './kernel.js';

/** What a thread needs to know of a sweep. */
export interface PortfolioSetup {
  /** Parsed JSON of the plan. */
  readonly plan: unknown;
  readonly windows: readonly PortfolioWindow[];
  readonly totalRuns: number;
  readonly home: string;
  readonly sampleDir: string | undefined;
  readonly rows: PortfolioRowSetup;
  /** Bars that are read already; a thread reads the others. */
  readonly reads?: SharedReads;
  /** Set to a value other than 0 to stop after the current run. */
  readonly stop: Int32Array;
}

/** Where rows are written, and the values that all of them share. */
export interface PortfolioRowSetup {
  readonly folder: string;
  readonly experimentId: string;
  readonly engineVersion: string;
  /** One for each window. */
  readonly datasets: readonly SweepDataset[];
}

export interface PortfolioTask {
  readonly setup: PortfolioSetup;
  readonly from: number;
  readonly to: number;
  /** If set, no portfolio is run; all rows report this error. */
  readonly failure?: string;
}

/** Finished portfolios, with the figures that only they have. */
export interface PortfolioChunk extends ChunkResult {
  readonly turnover: Float64Array;
  readonly largestGross: Float64Array;
}

/** The task runs in the form of this file: compiled, or through a loader. */
const task = new URL(`./portfolio-sweep-task${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

export type PortfolioThreads = SweepThreads<PortfolioTask, ChunkResult>;

/** Threads for portfolios. */
export const startPortfolioThreads = (options: Omit<ThreadOptions, 'task'>): PortfolioThreads =>
  startThreads({ ...options, task });
