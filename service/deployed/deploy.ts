import { openPaperAccount } from '../../engine/execution/index.js';
import { openPaperAllocation, openPaperRules } from '../../engine/portfolio/index.js';
import { isPlainStrategy } from '../further-bars.js';
import type { Deployed } from './definition.js';
import type { SqlDeployedStore } from './store.js';
import type { DeployedRecord } from './stored.js';

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
