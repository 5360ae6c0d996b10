import { randomUUID } from 'node:crypto';
import { promptPath, readPrompt } from '../../data/docs/index.js';
import { tokens } from '../../data/upstreams/index.js';
import type { Quotas } from '../access/index.js';
import type { BacktestDeps } from '../backtests/index.js';
import type { Capability, Foundation } from '../capability.js';
import type { ManagementKey } from '../identity/index.js';
import type { KnowledgeBase } from '../knowledge/index.js';
import type { Portfolios } from '../portfolios/index.js';
import type { Strategies } from '../strategies/index.js';
import { releaseOfEnded, runnerName } from '../work/lease.js';
import { wakeOn } from '../work/work-loop.js';
import { Assistant } from './assistant.js';
import { Conversation } from './conversation.js';
import { HashedWords, ModelVectors } from './embed.js';
import { ModelReader } from './model/model-reader.js';
import { Retrieval } from './retrieval.js';
import { SqlConversationStore } from './store.js';
import { Turns } from './turns.js';
import { VectorIndex } from './vector-index.js';
import type { Responder } from './working.js';

const CHANNEL = 'barline_messages';
/** What a language model is told. */
const PROMPT = 'read';
/** The small reader computes; a model is waited for. */
const TURNS_AT_ONCE = 2;
const MODEL_TURNS_AT_ONCE = 8;

interface AssistantNeeds {
  readonly quotas: Quotas;
  readonly backtests: BacktestDeps;
  readonly portfolios: Portfolios;
  readonly strategies: Strategies;
  readonly managementKey: ManagementKey;
  readonly knowledge: KnowledgeBase;
}

interface AssistantCapability extends Capability<'Assistant'> {
  readonly assistant: Assistant;
  /** Answers messages; also among the loops. */
  readonly turns: Turns;
}

export async function openAssistant(foundation: Foundation, needs: AssistantNeeds): Promise<AssistantCapability> {
  const { config, state, bars, market, clock, onInternalError } = foundation;
  const { model } = foundation.live;
  const { quotas, backtests, portfolios, strategies, managementKey, knowledge } = needs;
  const store = new SqlConversationStore(state.db);
  await releaseOfEnded(state, store);
  const retrieval = new Retrieval({
    knowledge,
    vectors: new VectorIndex(state.db),
    makeEmbedder: (corpus) => (model?.vectors ? new ModelVectors(model.vectors) : new HashedWords(corpus)),
    onInternalError,
  });
  const turns = new Turns({
    store,
    responder: openResponder(foundation, retrieval),
    atOnce: model === null ? TURNS_AT_ONCE : MODEL_TURNS_AT_ONCE,
    tools: {
      ...{ bars, market, backtests, portfolios },
      tokens: {
        take: (caller, amount) => quotas.take(caller, 'tokens', amount, config.BARLINE_LLM_MONTH_TOKENS),
        settle: (caller, amount) => quotas.settle(caller, 'tokens', amount),
      },
    },
    clock,
    runner: runnerName(),
    onInternalError,
  });
  await wakeOn(state, CHANNEL, () => turns.wake());
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
  return {
    assistant,
    turns,
    loops: [turns],
    methods: {
      'Assistant.Start': (_, { caller }) => assistant.start(caller),
      'Assistant.GetLatest': (_, { caller }) => assistant.latest(caller),
      'Assistant.List': (_, { caller }) => assistant.list(caller),
      'Assistant.Get': ({ session_id }, { caller }) => assistant.get(caller, session_id),
      'Assistant.Chat': ({ session_id, message }, { caller }) => assistant.chat(caller, session_id, message),
      'Assistant.Rename': ({ session_id, title }, { caller }) => assistant.rename(caller, session_id, title),
      'Assistant.Delete': ({ session_id }, { caller }) => assistant.remove(caller, session_id),
      'Assistant.SaveStrategy': (request, { caller }) => assistant.saveStrategy(caller, request),
      'Assistant.GetConfiguration': () => assistant.configuration(),
      'Assistant.RefreshIndex': (_, { credentials }) => assistant.refreshIndex(credentials.managementKey),
    },
  };
}

/** What answers, with the model that reads its messages where one is set. */
function openResponder({ config, live: { model }, packageRoot, clock }: Foundation, passages: Retrieval): Responder {
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
