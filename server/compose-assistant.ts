import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BarStore } from '../data/bars/index.js';
import type { MarketData } from '../data/providers/index.js';
import { SqlConversationStore, type State, VectorIndex } from '../data/state/index.js';
import { tokens } from '../data/upstreams/index.js';
import { assistantHandlers, type HandlersOf } from '../rpc/index.js';
import { Assistant, BuiltInMind, HashedWords, Retrieval, Turns } from '../service/assistant/index.js';
import type { BacktestDeps } from '../service/backtests/index.js';
import type { ManagementKey } from '../service/identity/index.js';
import type { KnowledgeBase } from '../service/knowledge/index.js';
import type { Strategies } from '../service/strategies/index.js';

const CHANNEL = 'barline_messages';

interface AssistantEnvironment {
  readonly state: State;
  readonly bars: BarStore;
  readonly market: MarketData;
  readonly backtests: BacktestDeps;
  readonly strategies: Strategies;
  readonly managementKey: ManagementKey;
  readonly knowledge: KnowledgeBase;
  /** The system clock, epoch ms. */
  readonly clock: () => number;
  readonly onInternalError: (error: unknown) => void;
}

interface ComposedAssistant {
  readonly handlers: HandlersOf<'Assistant'>;
  readonly assistant: Assistant;
  /** Started only if the process is a worker. */
  readonly turns: Turns;
}

export async function composeAssistant(environment: AssistantEnvironment): Promise<ComposedAssistant> {
  const { state, bars, market, backtests, strategies, managementKey, knowledge, clock, onInternalError } = environment;
  const store = new SqlConversationStore(state.db);
  if (state.kind === 'embedded') await store.releaseAll(); // only process of the store: holders are gone
  const retrieval = new Retrieval({
    knowledge,
    vectors: new VectorIndex(state.db),
    embedderOf: (corpus) => new HashedWords(corpus),
    onInternalError,
  });
  const turns = new Turns({
    store,
    mind: new BuiltInMind({ assetNames: namesOfAssets(), passages: retrieval, clock }),
    tools: { bars, market, backtests },
    clock,
    runner: `${process.pid}-${randomUUID()}`,
    sleep: (ms, signal) => sleep(ms, undefined, { signal, ref: false }).catch(() => {}),
    onInternalError,
  });
  await state.listen(CHANNEL, { onNotice: () => turns.wake(), onDeaf: () => {}, onHearing: () => turns.wake() });
  const assistant = new Assistant({
    store,
    strategies,
    retrieval,
    managementKey,
    clock,
    newId: randomUUID,
    onMessage: () => state.notify(CHANNEL, ''),
    onInternalError,
  });
  return { handlers: assistantHandlers(assistant), assistant, turns };
}

const namesOfAssets = (): ReadonlyMap<string, readonly string[]> =>
  new Map(
    tokens
      .filter(({ isStablecoin }) => !isStablecoin)
      .map(({ ticker, listingId, name }) => [ticker, [...new Set([listingId, name.toLowerCase()])]]),
  );
