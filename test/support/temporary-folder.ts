import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory, where Linux has one. */
const MEMORY = '/dev/shm';
/** More than all test files that run at once have written at any moment. */
const MEMORY_BYTES_MIN = 4 * 1024 ** 3;

/**
 * In memory if there is plenty: an embedded store has a thousand files, and a disk takes longer to
 * delete them than most test files take to run. `TMPDIR` names another place.
 */
const base = process.env.TMPDIR === undefined && hasRoom() ? MEMORY : tmpdir();

function hasRoom(): boolean {
  if (!existsSync(MEMORY) || freemem() < MEMORY_BYTES_MIN) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MEMORY_BYTES_MIN;
}

/** The process is in the name, so that later ones know whether the folder is still in use. */
const named = /^barline-[a-z-]+-(\d+)-\w{6}$/;

/** Deletes what processes have left that were killed, by a timeout for example. */
function deleteLeftovers(): void {
  for (const name of readdirSync(base)) {
    const pid = Number(named.exec(name)?.[1] ?? process.pid);
    if (!isRunning(pid)) rmSync(join(base, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'; // it belongs to another user
  }
}

deleteLeftovers();
const folders: string[] = [];
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** A new folder that is deleted when the process ends. */
export function temporaryFolder(purpose: string): string {
  const folder = mkdtempSync(join(base, `barline-${purpose}-${process.pid}-`));
  folders.push(folder);
  return folder;
}
