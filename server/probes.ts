import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../data/files.js';
import { type Dependency, DependencyFault } from '../data/outage.js';
import { errorMessage } from '../engine/errors.js';
import { type Checks, Degraded } from '../service/config/index.js';
import type { ServiceConfig } from '../service/settings/index.js';
import type { State } from '../service/state/index.js';
import type { Dependencies } from './dependencies.js';

interface ProbeParts {
  readonly config: ServiceConfig;
  readonly state: Pick<State, 'probeWrite'>;
  /** Rejects while the queues do not answer. */
  readonly queues: () => Promise<unknown>;
  /** Rejects while the store of objects does not answer; null where there is none. */
  readonly objects: (() => Promise<void>) | null;
  readonly dependencies: Dependencies;
}

/** Readiness checks that ask for one result a second at most, however many ask them. */
const FRESH_MS = 1_000;
/** Shorter than a check may take, so that a silent dependency is named. */
const ANSWER_MS_MAX = 1_500;
/**
 * The time is counted in steps: a process that is too busy to read an answer makes fewer of them,
 * and does not take its own delay for a dependency's.
 */
const STEP_MS = 100;
const PROBE_BYTES = 64 * 1024;

/**
 * Probes of the dependencies: a write to the database, a write to the home, an answer of the
 * queues. Queues in Redis may be away: workers look in the state for what no job told them. So may
 * the store of objects: what a host has of it serves on.
 */
export function makeProbes({ config, state, queues, objects, dependencies }: ProbeParts): Checks {
  const probe = (dependency: Dependency, ask: () => Promise<unknown>) =>
    fresh(async () => {
      try {
        await inTime(dependency, ask());
      } catch (error) {
        dependencies.failed(error, dependency !== 'queues');
        throw error;
      }
      dependencies.answered(dependency);
    });
  const asked = probe('queues', queues);
  const stored = objects === null ? null : probe('objects', objects);
  return {
    database: probe('database', () => state.probeWrite()),
    disk: probe('disk', () => writeTo(config.BARLINE_HOME)),
    async queues() {
      try {
        await asked();
      } catch (error) {
        if (config.REDIS_URL === undefined) throw error;
        throw new Degraded(`work is accepted and begins later: ${errorMessage(error)}`);
      }
    },
    ...(stored === null
      ? {}
      : {
          async objects() {
            await stored().catch((error: unknown) => {
              throw new Degraded(`rows and bars that this host does not have must wait: ${errorMessage(error)}`);
            });
          },
        }),
  };
}

/** Writes and removes a file of its own, whose name no other process has. */
async function writeTo(home: string): Promise<void> {
  await makeFolder(home);
  const path = join(home, `.probe-${process.pid}-${randomUUID()}`);
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(Buffer.alloc(PROBE_BYTES));
      await file.sync();
    } finally {
      await file.close();
    }
  } finally {
    await rm(path, { force: true });
  }
}

/** One question at a time, whose answer serves all who ask within `FRESH_MS` of its end. */
function fresh(ask: () => Promise<void>): () => Promise<void> {
  let asked: Promise<void> | null = null;
  return () => {
    if (asked === null) {
      asked = ask();
      const forget = (): void => {
        setTimeout(() => {
          asked = null;
        }, FRESH_MS).unref();
      };
      asked.then(forget, forget);
    }
    return asked;
  };
}

async function inTime<T>(dependency: Dependency, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    let waitedMs = 0;
    timer = setInterval(() => {
      waitedMs += STEP_MS;
      if (waitedMs < ANSWER_MS_MAX) return;
      const cause = new Error(`no answer within ${ANSWER_MS_MAX} ms`);
      reject(new DependencyFault(dependency, 'away', { cause }));
    }, STEP_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearInterval(timer);
  }
}
