import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BarStore } from '../../data/bars/index.js';
import { promptPath, readPrompt } from '../../data/docs/index.js';
import type { MarketData } from '../../data/providers/index.js';
import { tokens } from '../../data/upstreams/index.js';
import type { ChatModel, VectorModel } from '../../data/upstreams/model/index.js';
import type { Quotas } from '../access/index.js';
import {
  Assistant,
  assistantMethods,
  Conversation,
  HashedWords,
  type Mind,
  ModelReader,
  ModelVectors,
  Retrieval,
  SqlConversationStore,
  Turns,
  VectorIndex,
} from './index.js';
import type { BacktestDeps } from '../backtests/index.js';
import type { ManagementKey } from '../identity/index.js';
import type { KnowledgeBase } from '../knowledge/index.js';
import type { Portfolios } from '../portfolios/index.js';
import type { State } from '../state/index.js';
import type { Strategies } from '../strategies/index.js';
import type { UseCasesOf } from '../use-cases.js';
import type { ServiceConfig } from '../settings/config.js';

const CHANNEL = 'barline_messages';
/** What a language model is told. */
const PROMPT = 'read';
/** The small reader computes; a model is waited for. */
const TURNS_AT_ONCE = 2;
const MODEL_TURNS_AT_ONCE = 8;

interface AssistantEnvironment {
  readonly config: ServiceConfig;
  /** Null without a language model. */
  readonly model: (ChatModel & { readonly vectors: VectorModel | null }) | null;
  readonly quotas: Quotas;
  /** Folder of the installed package. */
  readonly packageRoot: string;
  readonly state: State;
  readonly bars: BarStore;
  readonly market: MarketData;
  readonly backtests: BacktestDeps;
  readonly portfolios: Portfolios;
  readonly strategies: Strategies;
  readonly managementKey: ManagementKey;
  readonly knowledge: KnowledgeBase;
  /** The system clock, epoch ms. */
  readonly clock: () => number;
  readonly onInternalError: (error: unknown) => void;
}

interface ComposedAssistant {
  readonly useCases: UseCasesOf<'Assistant'>;
  readonly assistant: Assistant;
  /** Started only if the process is a worker. */
  readonly turns: Turns;
}

export async function composeAssistant(environment: AssistantEnvironment): Promise<ComposedAssistant> {
  const { state, bars, market, backtests, portfolios, strategies, managementKey, knowledge, clock, onInternalError } =
    environment;
  const { config, model, quotas } = environment;
  const store = new SqlConversationStore(state.db);
  // This is the only process of the store, so the holders are gone.
  if (state.kind === 'embedded') await store.releaseAll();
  const retrieval = new Retrieval({
    knowledge,
    vectors: new VectorIndex(state.db),
    embedderOf: (corpus) => (model?.vectors ? new ModelVectors(model.vectors) : new HashedWords(corpus)),
    onInternalError,
  });
  const turns = new Turns({
    store,
    mind: openMind(environment, retrieval),
    atOnce: model === null ? TURNS_AT_ONCE : MODEL_TURNS_AT_ONCE,
    tools: {
      ...{ bars, market, backtests, portfolios },
      tokens: {
        take: (caller, amount) => quotas.take(caller, 'tokens', amount, config.BARLINE_LLM_MONTH_TOKENS),
        settle: (caller, amount) => quotas.settle(caller, 'tokens', amount),
      },
    },
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
    promptFiles: model === null ? [] : [promptPath(PROMPT)],
    clock,
    newId: randomUUID,
    onMessage: () => state.notify(CHANNEL, ''),
    onInternalError,
  });
  return { useCases: assistantMethods(assistant), assistant, turns };
}

/** What answers, with the model that reads its messages where one is set. */
function openMind({ config, model, packageRoot, clock }: AssistantEnvironment, passages: Retrieval): Mind {
  let prompt: Promise<string> | null = null;
  const reader =
    model === null
      ? null
      : new ModelReader({
          model,
          prompt: () => (prompt ??= readPrompt(packageRoot, PROMPT)),
          limits: {
            answerMs: config.BARLINE_LLM_ANSWER_MS,
            replyTokensMax: config.BARLINE_LLM_REPLY_TOKENS,
            conversationTokensMax: config.BARLINE_LLM_CONVERSATION_TOKENS,
          },
        });
  return new Conversation({ assetNames: namesOfAssets(), passages, model: reader, clock });
}

const namesOfAssets = (): ReadonlyMap<string, readonly string[]> =>
  new Map(
    tokens
      .filter(({ isStablecoin }) => !isStablecoin)
      .map(({ ticker, listingId, name }) => [ticker, [...new Set([listingId, name.toLowerCase()])]]),
  );
