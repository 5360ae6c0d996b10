import type { Topic } from '../service/knowledge/index.js';
import type { ServiceConfig } from '../service/settings/index.js';
import type { Installation } from './compose.js';
import type { LedgerOptions } from './ledger.js';
import type { LocalIssuerSettings } from './local-issuer.js';
import type { LocalServiceOptions } from './local-service.js';

export { type LiveProvider, liveProviders } from '../service/providers/index.js';
export {
  type ListedSetting,
  listSettings,
  readServiceConfig,
  type ServiceConfig,
  settingsTable,
  unknownVariables,
} from '../service/settings/index.js';
export type { LocalService } from './local-service.js';
export { runService } from './run.js';
export { listServers } from './servers.js';
export { type RunningService, type ServicePart, serviceParts } from './start.js';

/** Sources of columns as the service has them. */
export const serviceColumnSources = async (config: ServiceConfig, sampleDir: string) =>
  (await import('../service/columns/index.js')).serviceColumnSources(config, sampleDir);

/** The sign-in page of `barline dev`; see `local-issuer.ts`. */
export const startLocalIssuer = async (options: LocalIssuerSettings) =>
  (await import('./local-issuer.js')).startLocalIssuer(options);

/** Reads the ledger of payments; see `ledger.ts`. */
export async function readLedger(config: ServiceConfig, options: LedgerOptions) {
  return (await import('./ledger.js')).readLedger(config, options);
}

/**
 * Commands on the store of this machine. They import it on demand, because the service loads that
 * code in parallel with other work.
 */
const operate = () => import('./operate.js');

/** See `operate.ts`. */
export const runningWorkbench = async (config: ServiceConfig) => (await operate()).runningWorkbench(config);

/** @returns the key, which is shown only this once */
export const createKey = async (config: ServiceConfig, email: string, name: string) =>
  (await operate()).withOperator(config, (operator) => operator.createKey(email, name));

export const listKeys = async (config: ServiceConfig) =>
  (await operate()).withOperator(config, (operator) => operator.listKeys());

/** @param key its id or its prefix */
export const revokeKey = async (config: ServiceConfig, key: string) =>
  (await operate()).withOperator(config, (operator) => operator.revokeKey(key));

export const backUp = async (config: ServiceConfig, file: string, version: string) =>
  (await operate()).backUp(config, file, version);

export const restore = async (config: ServiceConfig, file: string, isForced: boolean) =>
  (await operate()).restore(config, file, isForced);

/** The service of this machine for one user of it; see `local-service.ts`. */
export const openLocalService = async (
  installation: Installation,
  config: ServiceConfig,
  options?: LocalServiceOptions,
) => (await import('./local-service.js')).openLocalService(installation, config, options);

/** The pages that a name of the command line means; see `KnowledgeBase.topic`. */
export async function helpTopic(
  packageRoot: string,
  name: string,
): Promise<{ readonly exact: readonly Topic[]; readonly nearest: readonly string[] }> {
  const { openKnowledge } = await import('./open-knowledge.js');
  return openKnowledge(packageRoot).topic(name);
}
