import { Counter, Gauge, type Registry } from 'prom-client';
import type { CacheUse } from '../data/providers/index.js';
import type { ConnectionUse } from '../data/state/index.js';
import type { Upstream } from '../data/upstreams/index.js';
import type { WorkCounts } from '../service/state/index.js';
import type { ThreadUse } from '../workers/index.js';

/** What a process and its state do now. The first two ask a server, which may not answer. */
export interface WorkSources {
  readonly work: () => Promise<WorkCounts>;
  readonly queues: () => Promise<ReadonlyMap<string, Readonly<Record<string, number>>>>;
  readonly connections: () => ConnectionUse;
  readonly threads: Readonly<Record<string, () => ThreadUse>>;
  readonly caches: Readonly<Record<string, () => CacheUse>>;
}

/** An answer that takes longer than this is left out of the metrics. */
const ANSWER_MS_MAX = 2_000;

/**
 * Adds gauges that are read when they are asked for. Where the state or the queues do not answer,
 * their gauges are left out, and `barline_source_up` says so.
 */
export function measureWork(sources: WorkSources, registry: Registry): void {
  const gauge = (name: string, help: string, labelNames: readonly string[], collect: (gauge: Gauge) => unknown) =>
    new Gauge({
      name: `barline_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      async collect() {
        this.reset();
        await collect(this);
      },
    });
  const work = shared(sources.work);
  const queues = shared(sources.queues);
  gauge('source_up', 'Whether a source of these metrics answered: 1 yes, 0 no', ['source'], async (up) => {
    up.set({ source: 'state' }, (await work()) === null ? 0 : 1);
    up.set({ source: 'queues' }, (await queues()) === null ? 0 : 1);
  });
  gauge('queue_jobs', 'Jobs of a queue by state', ['queue', 'state'], async (jobs) => {
    for (const [queue, states] of (await queues()) ?? []) {
      for (const [state, count] of Object.entries(states)) jobs.set({ queue, state }, count);
    }
  });
  gauge('backtests', 'Submitted backtests that have not ended, in all processes', ['status'], async (runs) => {
    setAll(runs, 'status', (await work())?.backtests);
  });
  gauge('experiments', 'Experiments by status, in all processes', ['status'], async (experiments) => {
    setAll(experiments, 'status', (await work())?.experiments);
  });
  gauge('sweep_runs', 'Runs of experiments under way, in all processes: open or done', ['state'], async (runs) => {
    setAll(runs, 'state', (await work())?.sweepRuns);
  });
  gauge('leases', 'Work that a process holds now: backtests, blocks of sweeps', ['kind'], async (leases) => {
    setAll(leases, 'kind', (await work())?.leases);
  });
  gauge('webhook_deliveries_pending', 'Deliveries that wait for an attempt', [], async (pending) => {
    const counts = await work();
    if (counts !== null) pending.set(counts.deliveries);
  });
  gauge('threads', 'Threads of this process by state, and tasks that wait for one', ['pool', 'state'], (threads) => {
    for (const [pool, use] of Object.entries(sources.threads)) {
      const { threads: count, busy, waiting } = use();
      threads.set({ pool, state: 'busy' }, busy);
      threads.set({ pool, state: 'idle' }, Math.max(0, count - busy));
      threads.set({ pool, state: 'waiting' }, waiting);
    }
  });
  gauge('database_connections', 'Connections of this process, and callers that wait for one', ['state'], (open) => {
    const { open: count, idle, waiting } = sources.connections();
    open.set({ state: 'busy' }, count - idle);
    open.set({ state: 'idle' }, idle);
    open.set({ state: 'waiting' }, waiting);
  });
  measureCaches(sources.caches, gauge);
}

type AddGauge = (name: string, help: string, labels: readonly string[], collect: (gauge: Gauge) => unknown) => Gauge;

function measureCaches(caches: WorkSources['caches'], gauge: AddGauge): void {
  const facts = {
    cache_entries: ['Entries of a cache', (use: CacheUse) => use.entries],
    cache_bytes: ['Bytes of a cache; absent where entries are counted only', (use: CacheUse) => use.bytes],
    cache_hits: ['Answers from a cache since the start', (use: CacheUse) => use.hits],
    cache_misses: ['Questions that a cache could not answer since the start', (use: CacheUse) => use.misses],
  } as const;
  for (const [name, [help, read]] of Object.entries(facts)) {
    gauge(name, help, ['cache'], (measured) => {
      for (const [cache, use] of Object.entries(caches)) {
        const value = read(use());
        if (value !== null) measured.set({ cache }, value);
      }
    });
  }
}

function setAll(gauge: Gauge, label: string, counts: Readonly<Record<string, number>> | undefined): void {
  for (const [name, count] of Object.entries(counts ?? {})) gauge.set({ [label]: name }, count);
}

/**
 * One question for all gauges of a scrape, and for scrapes at the same time. Null for a failed one.
 */
function shared<T>(ask: () => Promise<T>): () => Promise<T | null> {
  let asked: Promise<T | null> | null = null;
  const orNull = async (): Promise<T | null> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), ANSWER_MS_MAX);
    });
    try {
      return await Promise.race([ask(), late]);
    } catch {
      return null;
    } finally {
      clearTimeout(timer);
    }
  };
  return () => {
    if (asked === null) {
      asked = orNull();
      const answered = asked;
      answered.finally(() => {
        if (asked === answered) asked = null;
      });
    }
    return asked;
  };
}

/** The breaker as a number; of several breakers of one provider, the highest counts. */
const breakers = { closed: 0, 'half-open': 1, open: 2 } as const;

/** Adds metrics that are read from the upstreams when they are asked for. */
export function measureUpstreams(upstreams: readonly Upstream[], registry: Registry): void {
  const byProvider = new Map<string, readonly Upstream[]>();
  for (const upstream of upstreams) byProvider.set(upstream.name, [...(byProvider.get(upstream.name) ?? []), upstream]);
  const registers = [registry];
  new Gauge({
    name: 'barline_upstream_breaker',
    help: 'Breaker of a provider of live data: 0 closed, 1 half-open, 2 open',
    labelNames: ['provider'],
    registers,
    collect() {
      for (const [provider, parts] of byProvider) {
        this.set({ provider }, Math.max(...parts.map((part) => breakers[part.state().breaker])));
      }
    },
  });
  new Counter({
    name: 'barline_upstream_questions_total',
    help: 'Questions to a provider: answered by it, kept (a fresh earlier answer), stale (an older one), failed',
    labelNames: ['provider', 'end'],
    registers,
    collect() {
      this.reset();
      for (const [provider, parts] of byProvider) {
        for (const part of parts) {
          for (const [end, count] of Object.entries(part.activity().questions)) this.inc({ provider, end }, count);
        }
      }
    },
  });
  new Gauge({
    name: 'barline_upstream_answer_age_seconds',
    help: 'Time since the latest answer of a provider; absent before the first',
    labelNames: ['provider'],
    registers,
    collect() {
      for (const [provider, parts] of byProvider) {
        const ages = parts.flatMap((part) => part.activity().answerAgeMs ?? []);
        if (ages.length > 0) this.set({ provider }, Math.min(...ages) / 1_000);
      }
    },
  });
}
