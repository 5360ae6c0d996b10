import { openPaperAccount } from '../../engine/execution/index.js';
import { openPaperAllocation, openPaperRules } from '../../engine/portfolio/index.js';
import { type HeldOut, refuseHeldOutBar } from '../../engine/sweep/index.js';
import { asApiError } from '../api-error.js';
import { isPlainStrategy } from '../further-bars.js';
import type { WarningLog } from '../setting-warnings.js';
import type { WallClock } from '../wall-clock.js';
import { advance } from './advance.js';
import { type Deployed, type DeployedSet, deployedAssets } from './definition.js';
import {
  barPaceMs,
  type DeployedMarket,
  findStart,
  listWarnings,
  NextBars,
  openTime,
  type Replay,
} from './next-bar.js';
import type { SqlDeployedStore } from './store.js';
import type { DeployedRecord } from './stored.js';

export interface RunnerDeps {
  readonly set: DeployedSet;
  readonly store: Pick<SqlDeployedStore, 'deploy' | 'list' | 'begin' | 'advance' | 'note'>;
  readonly market: DeployedMarket;
  readonly replay: Replay;
  /** The days of an asset that no replay may touch. Default: none. */
  readonly heldOut?: (asset: string) => Promise<readonly HeldOut[]>;
  readonly nowMs: WallClock;
  /** Resolves after `ms` or when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called after events were stored. */
  readonly onEvents: () => Promise<void>;
  readonly onInternalError: (error: unknown) => void;
  /** Called with the warnings about a strategy, once in a process. */
  readonly onWarnings?: WarningLog;
}

/**
 * `advanced`: a bar was stored. `waiting`: no bar has closed. `overtaken`: another process stored
 * the bar. `failed`: the store says why.
 */
type TickOutcome = 'advanced' | 'waiting' | 'overtaken' | 'failed';

/** When to look again after no bar had closed or an attempt failed. */
const POLL_MS = 2_000;
const SLEEP_MS_MAX = 60_000;

/**
 * Takes the active strategies through their bars, one bar at a time, each when it is due. The whole
 * state is in the store, and the first process to finish a bar stores it, so any number of
 * processes may have a runner.
 */
export class DeployedRunner {
  readonly #active: readonly Deployed[];
  /** The last stored records, as far as this process knows. */
  readonly #held = new Map<string, DeployedRecord>();
  readonly #nextBars: NextBars;
  readonly #warned = new Set<string>();
  #stopping: AbortController | null = null;
  #loop: Promise<void> = Promise.resolve();

  constructor(private readonly deps: RunnerDeps) {
    this.#nextBars = new NextBars(deps.market);
    this.#active = [...deps.set.strategies.values()].filter(({ status }) => status === 'active');
  }

  /** Runs until `stop`. */
  start(): void {
    if (this.#stopping !== null) return;
    this.#stopping = new AbortController();
    this.#loop = this.#work(this.#stopping.signal);
  }

  /** Resolves when the current bar is stored. */
  async stop(): Promise<void> {
    this.#stopping?.abort();
    await this.#loop;
    this.#stopping = null;
  }

  /** Evaluates the next bar of a strategy now, due or not. */
  async tick(deployed: Deployed): Promise<TickOutcome> {
    const { store, onEvents, onInternalError } = this.deps;
    const { id } = deployed;
    try {
      const held = await this.#record(deployed);
      const { outcome, hasEvents } = await this.#evaluate(deployed, held);
      // Readers will poll for the events anyway.
      if (hasEvents) await onEvents().catch(onInternalError);
      return outcome;
    } catch (error) {
      this.#held.delete(id); // only the store knows whether the bar was stored
      const known = asApiError(error);
      if (known === null) onInternalError(error);
      await store.note(id, known?.message ?? 'an unexpected error occurred').catch(onInternalError);
      return 'failed';
    }
  }

  async #evaluate(
    deployed: Deployed,
    held: DeployedRecord,
  ): Promise<{ readonly outcome: TickOutcome; readonly hasEvents: boolean }> {
    const { store, market, replay, heldOut, nowMs } = this.deps;
    const { id, hash } = deployed;
    if (held.definitionHash !== hash) return { outcome: 'failed', hasEvents: false };
    const startMs = held.startMs ?? (await store.begin(id, await findStart(deployed, market, replay)));
    const bar = await this.#nextBars.next(deployed, held, startMs);
    if (bar === null) {
      if (held.error !== null) await store.note(id, null);
      this.#held.set(id, { ...held, startMs, error: null });
      return { outcome: 'waiting', hasEvents: false };
    }
    const openMs = openTime(bar);
    for (const asset of deployedAssets(deployed)) {
      const known = (await heldOut?.(asset)) ?? [];
      refuseHeldOutBar(known, { startMs: openMs, endMs: openMs + deployed.intervalMs });
    }
    await this.#warn(deployed);
    const { progress, trades, events } = advance(deployed, held, bar);
    const next = { ...progress, startMs, tickedAtMs: nowMs() };
    const equity = { timeMs: openMs + deployed.intervalMs, value: progress.accountValue };
    const tick = { progress: next, equity, trades, events };
    if (await store.advance(id, held.account.lastBarTime, tick)) {
      this.#held.set(id, { ...held, ...next, error: null });
      return { outcome: 'advanced', hasEvents: events.length > 0 };
    }
    this.#held.delete(id);
    return { outcome: 'overtaken', hasEvents: false };
  }

  /** Says once which columns of a strategy are generated. */
  async #warn(deployed: Deployed): Promise<void> {
    const { id, name } = deployed;
    if (this.#warned.has(id)) return;
    this.#warned.add(id);
    const warnings = await listWarnings(deployed, this.deps.market);
    if (warnings.length > 0) this.deps.onWarnings?.({ strategy_id: id, strategy: name }, warnings);
  }

  async #record(deployed: Deployed): Promise<DeployedRecord> {
    let held = this.#held.get(deployed.id);
    if (held === undefined) {
      [held] = (await deployAll([deployed], this.deps.store, this.deps.nowMs())) as [DeployedRecord];
      this.#held.set(deployed.id, held);
    }
    return held;
  }

  async #work(signal: AbortSignal): Promise<void> {
    const { nowMs, sleep } = this.deps;
    const dueMs = new Map(this.#active.map(({ id }) => [id, -Infinity]));
    while (!signal.aborted && this.#active.length > 0) {
      // biome-ignore lint/style/noNonNullAssertion: set for each that is active
      const next = this.#active.reduce((a, b) => (dueMs.get(b.id)! < dueMs.get(a.id)! ? b : a));
      // biome-ignore lint/style/noNonNullAssertion: set for each that is active
      const waitMs = dueMs.get(next.id)! - nowMs();
      if (waitMs > 0) await sleep(Math.min(waitMs, SLEEP_MS_MAX), signal);
      else dueMs.set(next.id, await this.#goOn(next));
    }
  }

  /** Evaluates the next bar of a strategy if it is due. @returns when to look again */
  async #goOn(deployed: Deployed): Promise<number> {
    const { nowMs, replay, onInternalError } = this.deps;
    const paceMs = barPaceMs(replay, deployed.intervalMs);
    try {
      const { tickedAtMs } = await this.#record(deployed);
      if (tickedAtMs !== null && tickedAtMs + paceMs > nowMs()) return tickedAtMs + paceMs;
    } catch (error) {
      onInternalError(error); // the store is unavailable
      return nowMs() + POLL_MS;
    }
    const outcome = await this.tick(deployed);
    if (outcome === 'advanced') return nowMs() + paceMs;
    return outcome === 'overtaken' ? nowMs() : nowMs() + POLL_MS;
  }
}

/** Returns the records of strategies in their order; creates missing ones. */
export async function deployAll(
  strategies: readonly Deployed[],
  store: Pick<SqlDeployedStore, 'deploy' | 'list'>,
  nowMs: number,
): Promise<DeployedRecord[]> {
  const ids = strategies.map(({ id }) => id);
  const byId = new Map((await store.list(ids)).map((record) => [record.id, record]));
  const missing = strategies.filter(({ id }) => !byId.has(id));
  if (missing.length > 0) {
    await store.deploy(missing.map((deployed) => freshRecord(deployed, nowMs)));
    // Another process may have been first.
    for (const record of await store.list(ids)) byId.set(record.id, record);
  }
  // biome-ignore lint/style/noNonNullAssertion: one strategy was made for each id
  return ids.map((id) => byId.get(id)!);
}

const freshRecord = (deployed: Deployed, nowMs: number): DeployedRecord => ({
  id: deployed.id,
  definitionHash: deployed.hash,
  createdAtMs: nowMs,
  startMs: null,
  account: startingAccount(deployed),
  accountValue: deployed.config.initial_balance,
  lastPrice: null,
  totalTrades: 0,
  highestStep: 0,
  lowestStep: 0,
  tickedAtMs: null,
  error: null,
});

/** The account before the first bar. */
export function startingAccount(deployed: Deployed): DeployedRecord['account'] {
  const { config } = deployed;
  if (!('portfolio' in deployed)) return openPaperAccount(config, { isPlain: isPlainStrategy(deployed) });
  const { portfolio } = deployed;
  return portfolio.kind === 'members'
    ? openPaperRules({ members: portfolio.members, initialBalance: config.initial_balance })
    : openPaperAllocation(config.initial_balance, portfolio.assets.length);
}
