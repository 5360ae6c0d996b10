import { join } from 'node:path';
import { openBars } from '../data/bars/index.js';
import { openStoredMarketData } from '../data/providers/index.js';
import type { Upstream } from '../data/upstreams/index.js';
import { sharedColumns } from '../engine/series/index.js';
import { documentedRoutes, pathOfMethod } from '../http/index.js';
import { type ComputeOutcome, type ComputeTask, type Computing, computeTask } from '../rpc/index.js';
import { AnswerCache, type Gate } from '../service/access/index.js';
import { ApiError } from '../service/api-error.js';
import { type Foundation, openCapabilities, openJobs, openSharedFiles } from '../service/capabilities/index.js';
import type { Checks } from '../service/config/index.js';
import type { WarningLog } from '../service/index.js';
import { openLive } from '../service/providers/index.js';
import { repeatedly } from '../service/repeatedly.js';
import type { ServiceConfig } from '../service/settings/index.js';
import { countWork, type State, serverSecret } from '../service/state/index.js';
import type { UseCases } from '../service/use-cases.js';
import { openFairThreads, ThreadFailure } from '../workers/index.js';
import type { Dependencies } from './dependencies.js';
import type { WorkSources } from './measure-work.js';
import { openKnowledge } from './open-knowledge.js';
import { makeOperator, type Operator } from './operator.js';
import { makeProbes } from './probes.js';

/** The service over an open state, as its transports and its process see it. */
interface Composition {
  readonly gate: Gate;
  readonly useCases: UseCases;
  readonly answers: AnswerCache | undefined;
  readonly computing: Computing;
  /** The providers of live data that are on. */
  readonly upstreams: readonly Upstream[];
  readonly workSources: WorkSources;
  /** Whether the process can take new requests and work: its database and its queues answer. */
  readonly readiness: Checks;
  /** Asks every dependency, so that a lost one is logged; call it regularly. */
  readonly probe: () => Promise<unknown>;
  readonly operator: Operator;
  /** Starts to answer conversations, before the rest of the work. */
  readonly startTalk: () => void;
  /** Starts to process submitted runs and deliveries. Call it only if the process is a worker. */
  readonly startWork: () => void;
  /** Returns unfinished jobs to the queue. */
  readonly stopWork: () => Promise<unknown>;
  /** Ends the streams, which otherwise run on. */
  readonly endStreams: () => void;
  /** Call it when nothing runs any more. */
  readonly close: () => Promise<void>;
  /** Deletes expired data; call it regularly. */
  readonly upkeep: () => Promise<unknown>;
}

/** The installed package. */
export interface Installation {
  readonly version: string;
  /** Folder with the bundled bars and the documentation. */
  readonly packageRoot: string;
}

interface Surroundings extends Installation {
  readonly onInternalError: (error: unknown) => void;
  readonly onWarnings: WarningLog;
  readonly dependencies: Dependencies;
  /** Whether the process is about to stop. */
  readonly isDraining: () => boolean;
}

/** How soon bars that were imported on one host are on the others. */
const SYNC_MS = 5_000;

/** Builds everything between the transport and the state. */
export async function compose(
  config: ServiceConfig,
  state: State,
  { version, packageRoot, onInternalError, onWarnings, dependencies, isDraining }: Surroundings,
): Promise<Composition> {
  const clock = Date.now;
  const sampleDir = join(packageRoot, 'sample');
  const bars = openBars({ home: config.BARLINE_HOME, sampleDir, allocate: sharedColumns });
  const market = openStoredMarketData(bars);
  const { adapters: live, upstreams } = await openLive(config, join(sampleDir, 'recordings'));
  const jobs = openJobs({ config, state, onError: onInternalError });
  const shared = openSharedFiles({ config, state, clock, onInternalError });
  const foundation: Foundation = {
    ...{
      config,
      state,
      shared,
      bars,
      market,
      live,
      jobs,
      version,
      packageRoot,
      sampleDir,
      clock,
      onInternalError,
      onWarnings,
    },
    random: Math.random,
    secret: config.BARLINE_SECRET ?? (await serverSecret(state.db, 'signing')),
    rest: { documentedRoutes, restPath: pathOfMethod },
  };
  const probes = makeProbes({ config, state, queues: () => jobs.counts(), objects: shared.probe, dependencies });
  const readiness: Checks = {
    ...probes,
    draining: async () => {
      if (isDraining()) throw new Error('the process is stopping');
    },
  };
  const capabilities = await openCapabilities(foundation, { knowledge: openKnowledge(packageRoot), readiness });
  const { gate, methods, credentials, loops } = capabilities;
  const { changes } = state;
  const answers = changes === null ? undefined : new AnswerCache(capabilities.reads, changes);
  const { computing, close: closeComputing } = openComputing();
  const endSyncs = repeatedly(() => shared.syncSeries(), SYNC_MS, onInternalError);
  return {
    gate,
    useCases: methods,
    answers,
    computing,
    upstreams,
    workSources: {
      work: () => countWork(state.db, clock()),
      queues: () => jobs.counts(),
      connections: () => state.connectionUse(),
      threads: capabilities.threads,
      caches: {
        bars: () => market.cacheUse(),
        ...(answers === undefined ? {} : { answers: () => answers.use() }),
        ...capabilities.caches,
      },
    },
    readiness,
    probe: () => Promise.allSettled(Object.values(probes).map((ask) => ask())),
    operator: makeOperator(state, config, credentials),
    startTalk: () => capabilities.startTalk(),
    startWork() {
      jobs.start(capabilities.sources);
      for (const loop of loops) loop.start();
    },
    stopWork: () => Promise.all([jobs.stop(), ...loops.map((loop) => loop.stop())]),
    endStreams: () => capabilities.endStreams(),
    async close() {
      await endSyncs();
      await jobs.close();
      await capabilities.close();
      await closeComputing();
    },
    upkeep: () => Promise.all([capabilities.upkeep(), shared.clearSeries()]),
  };
}

interface ComposedComputing {
  readonly computing: Computing;
  close(): Promise<void>;
}

const BUSY_SECONDS = 1;

/** Threads for requests that anyone may send, or that cost their caller nothing. */
function openComputing(): ComposedComputing {
  const threads = openFairThreads<ComputeTask, ComputeOutcome>({ task: computeTask });
  return {
    async computing(task, party, signal) {
      try {
        return await threads.run(task, party, signal);
      } catch (error) {
        throw error instanceof ThreadFailure ? refusal(error) : error;
      }
    },
    close: () => threads.close(),
  };
}

function refusal({ fault, message }: ThreadFailure): ApiError {
  switch (fault) {
    case 'full':
    case 'closed':
      return new ApiError('ENGINE_BUSY', `too much is computed at the moment: ${message}`, {
        retry_after: BUSY_SECONDS,
      });
    case 'deadline':
    case 'died':
      return new ApiError('VALIDATION_ERROR', `the request takes too much time or memory (${message}): send less data`);
  }
}
