import { openAccess, openLimits } from '../access/capability.js';
import type { Gate } from '../access/gate.js';
import { openAssistant } from '../assistant/capability.js';
import { openBacktests } from '../backtests/capability.js';
import type { Capability, Foundation } from '../capability.js';
import { openCatalogue } from '../catalogue/capability.js';
import { columnSourcesOver, openColumnFilling } from '../columns/capability.js';
import { openConfig } from '../config/capability.js';
import type { Checks } from '../config/checks.js';
import { openCorpus } from '../corpus/capability.js';
import { openCryptoAssets } from '../crypto-assets/capability.js';
import { openDefi } from '../defi/capability.js';
import { openDeployed } from '../deployed/capability.js';
import { openExecution } from '../execution/capability.js';
import { openExperiments } from '../experiments/capability.js';
import { openIdentity } from '../identity/capability.js';
import type { CredentialCache } from '../identity/credential-cache.js';
import { knowledgeCapability } from '../knowledge/capability.js';
import type { KnowledgeBase } from '../knowledge/knowledge-base.js';
import { openMarketReads } from '../market-data/capability.js';
import { openOnChain } from '../onchain/capability.js';
import { openPortfolios } from '../portfolios/capability.js';
import { openPromoCodes } from '../promo-codes/capability.js';
import { openRuns } from '../runs/capability.js';
import { openSeries } from '../series/capability.js';
import { openSieve } from '../sieve/capability.js';
import { openSignals } from '../signals/capability.js';
import { openSimulations } from '../simulations/capability.js';
import { openSocial } from '../social/capability.js';
import { openStrategies } from '../strategies/capability.js';
import { openUsage } from '../usage/capability.js';
import type { UseCases } from '../use-cases.js';
import { openWebhooks } from '../webhooks/capability.js';

export type { Foundation } from '../capability.js';

export { openSharedFiles } from '../objects/index.js';
export { openJobs } from '../work/jobs.js';

interface CapabilityNeeds {
  readonly knowledge: KnowledgeBase;
  /** What must answer before the process gets new requests. */
  readonly readiness: Checks;
}

/** The capabilities of a process, as one. */
interface Capabilities extends Required<Omit<Capability<never>, 'methods'>> {
  /** One for each method of the contract. */
  readonly methods: UseCases;
  readonly gate: Gate;
  readonly credentials: CredentialCache;
  /** Starts to answer conversations, before the rest of the work. */
  startTalk(): void;
}

/**
 * Opens each capability after the capabilities that it needs. This list is the only one of them.
 */
export async function openCapabilities(foundation: Foundation, needs: CapabilityNeeds): Promise<Capabilities> {
  const { knowledge, readiness } = needs;
  const identity = await openIdentity(foundation);
  const { tiers, managementKey } = identity;
  const { quotas, rateLimits } = openLimits(foundation, tiers);
  const sale = await openSale(foundation, (who) => rateLimits.consume(who));
  const access = openAccess(foundation, { identity, quotas, rateLimits, payments: sale?.payments ?? null });
  const strategies = openStrategies(foundation, tiers);
  const backtests = await openBacktests(foundation, { strategies: strategies.store, quotas });
  const portfolios = openPortfolios(foundation, backtests);
  const onChain = openOnChain(foundation);
  const assistant = await openAssistant(foundation, {
    ...{ quotas, managementKey, knowledge },
    ...{ backtests: backtests.deps, portfolios: portfolios.portfolios, strategies: strategies.strategies },
  });
  const all = [
    access,
    openConfig(foundation, readiness),
    strategies,
    backtests,
    portfolios,
    await openExperiments(foundation, tiers),
    openCatalogue(foundation),
    openSimulations(foundation, backtests.deps),
    openSeries({ bars: foundation.bars, market: foundation.market, heldOut: backtests.deps.heldOut }),
    openRuns(foundation),
    openSieve(foundation),
    openExecution(foundation),
    openUsage(foundation, {
      ...{ identity, quotas, strategies: strategies.store },
      ...{ backtests: backtests.deps.store, assistant: assistant.assistant },
    }),
    openPromoCodes(foundation, identity),
    openWebhooks(foundation),
    await openDeployed(foundation),
    await openCorpus(foundation),
    openMarketReads(foundation),
    openSocial(foundation),
    openDefi(foundation),
    onChain,
    await openCryptoAssets(foundation, { managementKey, holderShare: onChain.topHoldersShare }),
    assistant,
    knowledgeCapability(knowledge),
    openSignals(foundation, strategies.store),
    openColumnFilling(foundation, columnSourcesOver(foundation)),
  ];
  const lives: readonly Capability<never>[] = sale === null ? all : [...all, sale];
  return {
    methods: joinedMethods(all),
    reads: lives.flatMap(({ reads = [] }) => reads),
    gate: access.gate,
    credentials: identity.cache,
    startTalk: () => assistant.turns.start(),
    sources: lives.flatMap(({ sources = [] }) => sources),
    loops: lives.flatMap(({ loops = [] }) => loops),
    threads: Object.assign({}, ...lives.map(({ threads }) => threads)),
    caches: Object.assign({}, ...lives.map(({ caches }) => caches)),
    upkeep: () => Promise.all(lives.map((each) => each.upkeep?.())),
    endStreams() {
      for (const each of lives) each.endStreams?.();
    },
    async close() {
      for (const each of lives) await each.close?.();
    },
  };
}

/** Loads the code of payments only where calls are sold. */
async function openSale(foundation: Foundation, consume: (who: string) => Promise<void>) {
  if (foundation.config.BARLINE_X402_PAY_TO === undefined) return null;
  return (await import('../payments/capability.js')).openPayments(foundation, consume);
}

/** The methods of one of several capabilities, of all of them. */
type Joined<One> = (One extends unknown ? (one: One) => void : never) extends (all: infer All) => void ? All : never;

const joinedMethods = <One extends Capability<never>>(capabilities: readonly One[]): Joined<One['methods']> =>
  Object.assign({}, ...capabilities.map(({ methods }) => methods));
