import { join } from 'node:path';
import { openBars } from '../data/bars/index.js';
import { readDocuments } from '../data/docs/index.js';
import { openStoredMarketData } from '../data/providers/index.js';
import { hasEnded, ownName } from '../data/state/index.js';
import type { Upstream } from '../data/upstreams/index.js';
import { sharedColumns } from '../engine/index.js';
import { endpointsOf } from '../http/index.js';
import type { Computing } from '../rpc/index.js';
import {
  authMethods,
  Gate,
  Idempotency,
  Quotas,
  RateLimits,
  SqlIdempotencyStore,
  SqlUsageStore,
} from '../service/access/index.js';
import { backtestMethods } from '../service/backtests/index.js';
import { type Checks, configMethods, Documentation } from '../service/config/index.js';
import type { WarningLog } from '../service/index.js';
import { knowledgeMethods } from '../service/knowledge/index.js';
import { SqlPaymentStore } from '../service/payments/index.js';
import { PromoCodes, promoCodeMethods, SqlPromoCodeStore } from '../service/promo-codes/index.js';
import { signalMethods, signalUsage, storedBarLoader } from '../service/signals/index.js';
import { countWork, type State, serverSecret } from '../service/state/index.js';
import { Strategies, StrategyStore, strategyMethods } from '../service/strategies/index.js';
import { Usage, usageMethods } from '../service/usage/index.js';
import type { UseCases } from '../service/use-cases.js';
import { webhookMethods } from '../service/webhooks/index.js';
import { composeAssistant } from '../service/assistant/capability.js';
import { type Backtests, composeBacktests } from '../service/backtests/capability.js';
import { composeBatch } from '../service/simulations/capability.js';
import { columnSourcesOver, composeColumns } from '../service/columns/capability.js';
import { composeComputing } from './computing.js';
import { composeCorpus } from '../service/corpus/capability.js';
import { composeCryptoAssets } from '../service/crypto-assets/capability.js';
import { composeDefi } from '../service/defi/capability.js';
import { composeDeployed } from '../service/deployed/capability.js';
import { composeExecution } from '../service/execution/capability.js';
import { composeExperiments } from '../service/experiments/capability.js';
import { composeIdentity } from '../service/identity/capability.js';
import { composeMarketData } from '../service/market-data/capability.js';
import { composeOnChain } from '../service/onchain/capability.js';
import type { PaymentSale, PaymentsEnvironment } from '../service/payments/capability.js';
import { composePortfolios } from '../service/portfolios/capability.js';
import { composeSocial } from '../service/social/capability.js';
import { composeWebhooks } from '../service/webhooks/capability.js';
import { composeWork } from '../service/work/job-queues.js';
import type { ServiceConfig } from '../service/settings/config.js';
import type { Dependencies } from './dependencies.js';
import type { WorkSources } from './measure-work.js';
import { openKnowledge } from './open-knowledge.js';
import { openLive } from '../service/providers/open-live.js';
import { type Operator, operatorOf } from './operator.js';
import { probesOf } from './probes.js';

/** The use cases of the service over an open state. */
interface Composition {
  readonly gate: Gate;
  readonly useCases: UseCases;
  readonly computing: Computing;
  readonly backtests: Backtests;
  /** The providers of live data that are on. */
  readonly upstreams: readonly Upstream[];
  readonly workSources: WorkSources;
  /** Whether the process can take new requests and work: its database and its queues answer. */
  readonly readiness: Checks;
  /** Asks every dependency, so that a lost one is logged; call it regularly. */
  readonly probe: () => Promise<unknown>;
  readonly operator: Operator;
  /** Starts to process submitted runs and deliveries. Call it only if the process is a worker. */
  readonly startWork: () => void;
  /** Starts to answer conversations, before the rest of the work. */
  readonly startTalk: () => void;
  /** Returns unfinished jobs to the queue. */
  readonly stopWork: () => Promise<void>;
  /** Ends the streams, which otherwise run on. */
  readonly endStreams: () => void;
  /** Call it when nothing runs any more. */
  readonly close: () => Promise<void>;
  /** Deletes expired data; call it regularly. */
  readonly upkeep: () => Promise<unknown>;
}

/** The installed package. */
export interface Installation {
  readonly version: string;
  /** Folder with the bundled bars and the documentation. */
  readonly packageRoot: string;
}

interface Surroundings extends Installation {
  readonly onInternalError: (error: unknown) => void;
  readonly onWarnings: WarningLog;
  readonly dependencies: Dependencies;
  /** Whether the process is about to stop. */
  readonly isDraining: () => boolean;
}

/**
 * Builds everything between the transport and the state. Long because it lists every part of the
 * service once, each after the parts that it needs; it makes no decisions.
 */
export async function compose(
  config: ServiceConfig,
  state: State,
  { version, packageRoot, onInternalError, onWarnings, dependencies, isDraining }: Surroundings,
): Promise<Composition> {
  const { db } = state;
  const clock = Date.now;
  const secret = config.BARLINE_SECRET ?? (await serverSecret(db, 'signing'));
  const identity = await composeIdentity({ config, state, secret, clock });
  const { tiers, cache, managementKey } = identity;
  const idempotencyKeys = new SqlIdempotencyStore(db);
  const quotas = new Quotas({ store: new SqlUsageStore(db), tiers, clock });
  const rateLimits = new RateLimits({ requests: config.BARLINE_RATE_LIMIT_PER_MINUTE, windowS: 60 });
  const consume = (who: string) => rateLimits.consume(who);
  const sale = await openSale({ config, state, secret, clock, consume, onInternalError });
  const gate = new Gate({
    authenticator: identity.authenticator,
    rateLimits,
    quotas,
    idempotency: new Idempotency(idempotencyKeys, secret, clock, { name: ownName(), hasEnded }),
    payments: sale?.payments ?? null,
  });
  const sampleDir = join(packageRoot, 'sample');
  const bars = openBars({ home: config.BARLINE_HOME, sampleDir, allocate: sharedColumns });
  const market = openStoredMarketData(bars);
  const { adapters: live, upstreams } = openLive(config, join(sampleDir, 'recordings'));
  const columns = composeColumns({ config, sampleDir, sources: columnSourcesOver({ live, bars, market, sampleDir }) });
  const strategyStore = new StrategyStore(db);
  const strategies = new Strategies({
    store: strategyStore,
    composition: config.BARLINE_RULE_COMPOSITION,
    tiers,
    now: () => new Date(clock()),
    market,
    onWarnings,
  });
  const work = composeWork({ config, state, onError: onInternalError });
  const sweeps = await composeExperiments({
    config,
    state,
    market,
    sampleDir,
    tiers,
    work,
    version,
    onInternalError,
  });
  const backtests = await composeBacktests({
    work,
    config,
    state,
    market,
    strategies: strategyStore,
    quotas,
    version,
    onInternalError,
    onWarnings,
  });
  const portfolios = composePortfolios({ config, state, backtests: backtests.deps, sampleDir });
  const { webhooks, dispatcher } = composeWebhooks({ config, db, secret, clock, onInternalError });
  const deployed = await composeDeployed({ config, state, market, packageRoot, onInternalError, onWarnings });
  const { computing, close: closeComputing } = composeComputing();
  const corpus = await composeCorpus({ config, db, bars, sampleDir });
  const onChain = composeOnChain({ live, bars, market });
  const assets = await composeCryptoAssets({
    ...{ live, state, bars, market, managementKey, clock, onInternalError },
    holderShare: onChain.topHoldersShare,
  });
  const probes = probesOf({ config, state, queues: () => work.counts(), dependencies });
  const readiness: Checks = {
    ...probes,
    draining: async () => {
      if (isDraining()) throw new Error('the process is stopping');
    },
  };
  const knowledge = openKnowledge(packageRoot);
  const talk = await composeAssistant({
    ...{ config, state, bars, market, strategies, managementKey, quotas, knowledge, packageRoot, clock },
    ...{ model: live.model, backtests: backtests.deps, portfolios: portfolios.portfolios, onInternalError },
  });
  const promoCodes = new PromoCodes({ store: new SqlPromoCodeStore(db), managementKey, tiers, cache, clock });
  const useCases: UseCases = {
    ...authMethods({ gate, ...identity.parts }),
    ...configMethods({
      version,
      checks: { database: () => state.ping() },
      readinessChecks: readiness,
      documentation: new Documentation(() => readDocuments(packageRoot)),
    }),
    ...strategyMethods(strategies),
    ...backtestMethods(backtests.deps),
    ...portfolios.useCases,
    ...sweeps.useCases,
    ...composeBatch({ db, bars, market, backtests: backtests.deps, sampleDir, version }),
    ...composeExecution({ db, market, clock, onWarnings }),
    ...usageMethods(
      new Usage({
        ...{ quotas, tiers, endpointsOf, managementKey },
        countStrategies: (userId) => strategyStore.count(userId),
        countBacktests: async (userId) =>
          (await backtests.deps.store.history(userId, { includeArchived: true, limit: 1, offset: 0 })).total,
        conversations: (userId) => talk.assistant.totals(userId),
        payments: new SqlPaymentStore(db),
      }),
    ),
    ...promoCodeMethods(promoCodes),
    ...webhookMethods(webhooks),
    ...deployed.useCases,
    ...corpus.useCases,
    ...composeMarketData({ config, live, market, sampleDir }),
    ...composeSocial({ live, market, sampleDir }),
    ...composeDefi({ live, market, sampleDir }),
    ...onChain.useCases,
    ...assets.useCases,
    ...talk.useCases,
    ...knowledgeMethods(knowledge),
    ...signalMethods({
      loadBars: storedBarLoader(market),
      usageOf: (caller) => signalUsage(strategyStore, caller),
    }),
  };
  return {
    gate,
    useCases,
    computing,
    backtests,
    upstreams,
    workSources: {
      work: () => countWork(db, clock()),
      queues: () => work.counts(),
      connections: () => state.connectionUse(),
      threads: { backtests: () => backtests.threadUse(), sweeps: () => sweeps.threadUse() },
      caches: { bars: () => market.cacheUse(), credentials: () => cache.use() },
    },
    readiness,
    probe: () => Promise.allSettled(Object.values(probes).map((ask) => ask())),
    operator: operatorOf(state, config, cache),
    startTalk: () => talk.turns.start(),
    startWork() {
      work.start([portfolios.after(backtests.source), ...sweeps.sources]);
      deployed.runner.start();
      assets.updates.start();
      talk.turns.start();
      dispatcher.start();
      sale?.start();
    },
    async stopWork() {
      await deployed.runner.stop();
      await Promise.all([work.stop(), dispatcher.stop(), assets.updates.stop(), talk.turns.stop(), sale?.stop()]);
    },
    endStreams() {
      deployed.feed.close();
      sweeps.endStreams();
    },
    async close() {
      await work.close();
      await sweeps.close();
      await backtests.close();
      await portfolios.close();
      await corpus.close();
      await closeComputing();
    },
    upkeep: () =>
      Promise.all([
        idempotencyKeys.sweep(clock()),
        dispatcher.trim(),
        sweeps.upkeep(),
        deployed.upkeep(),
        assets.updates.requestDue(),
        columns.upkeep(),
        sale?.payments.upkeep(),
        promoCodes.upkeep(),
      ]),
  };
}

/** Loads the code of payments only where they are on. */
async function openSale(environment: PaymentsEnvironment): Promise<PaymentSale | null> {
  if (environment.config.BARLINE_X402_PAY_TO === undefined) return null;
  return (await import('../service/payments/capability.js')).composePayments(environment);
}
