import type { DeployedRecord, SqlDeployedStore } from '../../data/state/index.js';
import { openPaperAccount, openSidedPaper } from '../../engine/index.js';
import { isSidedStrategy } from '../further-bars.js';
import type { DeployedDefinition } from './definition.js';

/** Returns the records of strategies in their order; creates those that do not exist yet. */
export async function deployAll(
  strategies: readonly DeployedDefinition[],
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

const freshRecord = (deployed: DeployedDefinition, nowMs: number): DeployedRecord => ({
  id: deployed.id,
  definitionHash: deployed.hash,
  createdAtMs: nowMs,
  startMs: null,
  account: isSidedStrategy(deployed) ? openSidedPaper(deployed.config) : openPaperAccount(deployed.config),
  accountValue: deployed.config.initial_balance,
  lastPrice: null,
  totalTrades: 0,
  highestStep: 0,
  lowestStep: 0,
  tickedAtMs: null,
  error: null,
});
