import { resolveFolder } from '../data/folder-of.js';
import { ownPackage } from '../data/package/index.js';
import type { ListedSetting, ServiceConfig } from '../server/index.js';

/** Surroundings of the command line, read once. */
export interface Environment {
  /** Folder of imported bars, records of runs and sweeps. */
  readonly home: string;
  /** Root of the installed package: bundled bars and examples. */
  readonly packageRoot: string;
  readonly version: string;
  readonly isDebug: boolean;
  /** Credential for a service that a command talks to. Options can be read by other users. */
  readonly apiKey: string | null;
  /** Settings of the service. Read on demand: only the commands of the service load that code. */
  readServiceConfig(): Promise<ServiceConfig>;
  /** The same settings with their defaults and sources. */
  listSettings(): Promise<readonly ListedSetting[]>;
  /** One clause for each variable that is named like a setting of the service and is none. */
  unknownVariables(): Promise<readonly string[]>;
}

export function readEnvironment(): Environment {
  const { root: packageRoot, version } = ownPackage();
  return Object.freeze({
    home: resolveFolder(process.env.BARLINE_HOME ?? '.barline'),
    packageRoot,
    version,
    isDebug: process.env.BARLINE_DEBUG === '1',
    apiKey: process.env.BARLINE_API_KEY || null,
    async readServiceConfig() {
      const { readServiceConfig } = await import('../server/index.js');
      return readServiceConfig(process.env);
    },
    async listSettings() {
      const { listSettings } = await import('../server/index.js');
      return listSettings(process.env);
    },
    async unknownVariables() {
      const { unknownVariables } = await import('../server/index.js');
      return unknownVariables(process.env);
    },
  });
}
