import type { MethodName, ServiceName, UnaryName } from '../contract/index.js';
import type { BarStore } from '../data/bars/index.js';
import type { CacheUse, MarketData } from '../data/providers/index.js';
import type { ThreadUse } from '../workers/index.js';
import type { QueueSource } from '../workers/queues/index.js';
import type { SharedFiles } from './objects/index.js';
import type { LiveAdapters } from './providers/index.js';
import type { WarningLog } from './setting-warnings.js';
import type { ServiceConfig } from './settings/config.js';
import type { State } from './state/tables.js';
import type { UseCasesOf } from './use-cases.js';
import type { Jobs } from './work/jobs.js';

/** What all capabilities of a process stand on. */
export interface Foundation {
  readonly config: ServiceConfig;
  readonly state: State;
  /** The server's secret, from which keys are derived. */
  readonly secret: string;
  readonly bars: BarStore;
  /** Bars that strategies run on. */
  readonly market: MarketData;
  /** The providers of live data that are on. */
  readonly live: LiveAdapters;
  readonly jobs: Jobs;
  readonly shared: SharedFiles;
  readonly version: string;
  /** Folder of the installed package. */
  readonly packageRoot: string;
  /** Folder of the bundled data. */
  readonly sampleDir: string;
  /** The system clock, epoch ms. */
  readonly clock: () => number;
  /** From 0 to below 1, to spread retries. */
  readonly random: () => number;
  /** How REST names a method. */
  readonly rest: { documentedRoutes(method: MethodName): readonly string[]; restPath(method: MethodName): string };
  readonly onInternalError: (error: unknown) => void;
  readonly onWarnings: WarningLog;
}

/** Work beside the calls, of a process that is a worker. */
interface Loop {
  start(): void;
  /** Returns the unfinished work. */
  stop(): Promise<void>;
}

/** A capability of the service as a process runs it. */
export interface Capability<S extends ServiceName> {
  readonly methods: UseCasesOf<S>;
  /** Methods whose answer follows from caller, request and rows of the state alone: not from a clock. */
  readonly reads?: readonly UnaryName[];
  /** The work that a worker does for jobs of the queues. */
  readonly sources?: readonly QueueSource[];
  readonly loops?: readonly Loop[];
  /** Use of its threads, by the name of their pool. */
  readonly threads?: Readonly<Record<string, () => ThreadUse>>;
  readonly caches?: Readonly<Record<string, () => CacheUse>>;
  /** Deletes what has expired; called regularly. */
  upkeep?(): Promise<unknown>;
  /** Ends the streams, which otherwise run on. */
  endStreams?(): void;
  /** Called when nothing runs any more. */
  close?(): Promise<void>;
}
