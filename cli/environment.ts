import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ListedSetting, ServiceConfig } from '../server/index.js';

/** Surroundings of the command line, read once. */
export interface Environment {
  /** Folder of imported bars, records of runs and sweeps. */
  readonly home: string;
  /** Root of the installed package: bundled bars and examples. */
  readonly packageRoot: string;
  readonly version: string;
  readonly isDebug: boolean;
  /** Settings of the service. Read on demand: only the commands of the service load that code. */
  readServiceConfig(): Promise<ServiceConfig>;
  /** The same settings with their defaults and sources. */
  listSettings(): Promise<readonly ListedSetting[]>;
}

export function readEnvironment(): Environment {
  const packageRoot = findPackageRoot(import.meta.dirname);
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string };
  return Object.freeze({
    home: resolve(process.env.BARLINE_HOME ?? '.barline'),
    packageRoot,
    version,
    isDebug: process.env.BARLINE_DEBUG === '1',
    async readServiceConfig() {
      const { readServiceConfig } = await import('../server/index.js');
      return readServiceConfig(process.env);
    },
    async listSettings() {
      const { listSettings } = await import('../server/index.js');
      return listSettings(process.env);
    },
  });
}

/** Compiled and interpreted code lie at different depths below the package root. */
function findPackageRoot(from: string): string {
  let folder = from;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
