import { statfs } from 'node:fs/promises';
import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import { type Dependency, errorCode, findOutage } from '../data/outage.js';
import { errorMessage } from '../engine/errors.js';
import type { ServiceConfig } from '../service/settings/index.js';

/** The shortest time between two log lines about one dependency that stays away. */
const SAID_AGAIN_MS = 60_000;

interface Lost {
  readonly since: number;
  saidMs: number;
  failures: number;
}

/** The settings that say where each dependency is: names only, since a value may hold a password. */
const settings = ({
  DATABASE_URL,
  REDIS_URL,
  BARLINE_OBJECTS,
}: ServiceConfig): Readonly<Partial<Record<Dependency, string>>> => {
  const database = DATABASE_URL === undefined ? 'BARLINE_HOME' : 'DATABASE_URL';
  const queues = REDIS_URL === undefined ? database : 'REDIS_URL';
  return { database, disk: 'BARLINE_HOME', queues, ...(BARLINE_OBJECTS && { objects: 'BARLINE_OBJECTS' }) };
};

/**
 * Knows which dependencies of this process are lost: logs a loss at most once a minute and the
 * return once, and counts failures. Calls, background work and probes report to it.
 */
export class Dependencies {
  readonly #lost = new Map<Dependency, Lost>();
  readonly #failures: Counter<'dependency' | 'reason'>;
  readonly #failedWrites: Counter<'dependency'>;
  #settings: Readonly<Partial<Record<Dependency, string>>> = {};

  constructor(
    private readonly log: Logger,
    private readonly registry: Registry,
    private readonly clock: () => number = Date.now,
  ) {
    const registers = [registry];
    this.#failures = new Counter({
      name: 'barline_dependency_failures_total',
      help: 'Reads and writes that failed because of a dependency: in calls, background work and probes',
      labelNames: ['dependency', 'reason'],
      registers,
    });
    this.#failedWrites = new Counter({
      name: 'barline_failed_writes_total',
      help: 'Writes that failed: those of the probes, and those that found no room or a read-only store',
      labelNames: ['dependency'],
      registers,
    });
  }

  /** Adds the gauges of the dependencies that a process of these settings has. */
  watch(config: ServiceConfig): void {
    this.#settings = settings(config);
    const registers = [this.registry];
    const lost = this.#lost;
    const names = Object.keys(this.#settings) as Dependency[];
    new Gauge({
      name: 'barline_dependency_up',
      help: 'Whether a dependency answers and takes writes: 1 yes, 0 no',
      labelNames: ['dependency'],
      registers,
      collect() {
        for (const dependency of names) this.set({ dependency }, lost.has(dependency) ? 0 : 1);
      },
    });
    new Gauge({
      name: 'barline_disk_free_bytes',
      help: 'Room for this user on the file system of BARLINE_HOME',
      registers,
      async collect() {
        const found = await statfs(config.BARLINE_HOME).catch(() => null);
        if (found === null) this.reset();
        else this.set(found.bavail * found.bsize);
      },
    });
  }

  /** @returns whether the error is an outage; no other place then needs to log it */
  failed(error: unknown, isWrite = false): boolean {
    const outage = findOutage(error);
    if (outage === null) return false;
    const { dependency, kind } = outage;
    this.#failures.inc({ dependency, reason: kind });
    if (isWrite || kind === 'full' || kind === 'read_only') this.#failedWrites.inc({ dependency });
    const nowMs = this.clock();
    const known = this.#lost.get(dependency);
    const lost = known ?? { since: nowMs, saidMs: nowMs, failures: 0 };
    this.#lost.set(dependency, lost);
    lost.failures++;
    if (known !== undefined && nowMs - lost.saidMs < SAID_AGAIN_MS) return true;
    lost.saidMs = nowMs;
    this.log.error({ ...this.#about(dependency, lost), reason: kind, ...said(error) }, 'dependency lost');
    return true;
  }

  answered(dependency: Dependency): void {
    const lost = this.#lost.get(dependency);
    if (lost === undefined) return;
    this.#lost.delete(dependency);
    const lost_ms = this.clock() - lost.since;
    this.log.warn({ ...this.#about(dependency, lost), lost_ms }, 'dependency is back');
  }

  #about(dependency: Dependency, { since, failures }: Lost): object {
    return { dependency, setting: this.#settings[dependency], since: new Date(since).toISOString(), failures };
  }
}

/** The message and code only: other fields of such errors can hold addresses with passwords. */
const said = (error: unknown): object => ({
  error: errorMessage(error),
  code: errorCode(error) ?? errorCode((error as { cause?: unknown }).cause),
});
