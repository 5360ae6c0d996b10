import { resolve } from 'node:path';
import { readBackup, writeBackup } from '../data/backup/index.js';
import { lockHome } from '../data/state/embedded/index.js';
import { EngineError } from '../engine/errors.js';
import { sharedCredentialCache } from '../service/identity/index.js';
import type { ServiceConfig } from '../service/settings/index.js';
import { openState, restoreState } from '../service/state/index.js';
import { makeOperator, type Operator } from './operator.js';
import { addressesBehind, doorPath, hasDoor, operatorBehind, workbenchAddress } from './operator-door.js';
import { requireDatabase } from './servers.js';

/**
 * Lets `work` use the store, whether a service has it open or not. An embedded store that is in use
 * is reached through the door of the service that uses it.
 * @throws EngineError CONFLICT if another process has the store open and has no door
 */
export async function withOperator<T>(config: ServiceConfig, work: (operator: Operator) => Promise<T>): Promise<T> {
  const { BARLINE_HOME: home, DATABASE_URL: databaseUrl } = config;
  await requireDatabase(config);
  const opened = await openState({ home, databaseUrl }).catch(async (error: unknown) => {
    const isInUse = error instanceof EngineError && error.code === 'CONFLICT' && databaseUrl === undefined;
    if (isInUse && (await hasDoor(doorPath(home)))) return null;
    throw error;
  });
  if (opened === null) return work(operatorBehind(doorPath(home)));
  try {
    return await work(makeOperator(opened, config, await sharedCredentialCache(opened, Date.now)));
  } finally {
    await opened.close();
  }
}

/**
 * The address of the workbench of a service that runs over this home; null where none serves REST.
 */
export async function runningWorkbench({ BARLINE_HOME: home }: ServiceConfig): Promise<string | null> {
  const door = doorPath(home);
  if (!(await hasDoor(door))) return null;
  const origin = await addressesBehind(door).then(
    (addresses) => addresses.origin,
    () => null, // left by a process that was killed
  );
  return origin === null ? null : workbenchAddress(origin, await operatorBehind(door).createOneTimeToken());
}

/** Writes a backup of the store and the home, whether a service runs or not. */
export const backUp = (config: ServiceConfig, file: string, version: string) =>
  withOperator(config, (operator) =>
    writeBackup({
      home: config.BARLINE_HOME,
      file: resolve(file),
      state: operator.dump(),
      version,
      nowMs: Date.now(),
    }),
  );

/**
 * Puts a backup into the home, and its state into the database of `DATABASE_URL` if there is one.
 * @throws EngineError CONFLICT for a home in use or, unless forced, with content
 */
export async function restore(config: ServiceConfig, file: string, isForced: boolean) {
  const { BARLINE_HOME: home, DATABASE_URL: databaseUrl } = config;
  await requireDatabase(config);
  const lock = await lockHome(home);
  try {
    return await readBackup({
      file: resolve(file),
      home,
      isForced,
      nowMs: Date.now(),
      restoreState: (folder, lines) => restoreState({ home: folder, databaseUrl }, lines, isForced),
    });
  } finally {
    await lock.release();
  }
}
