import assert from 'node:assert/strict';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BarStore, openBars } from '../../data/bars/index.js';
import { readPrompt } from '../../data/docs/index.js';
import { type MarketData, openStoredMarketData } from '../../data/providers/index.js';
import { ModelServer } from '../../data/upstreams/model/index.js';
import { Conversation } from '../../service/assistant/conversation.js';
import { ModelReader } from '../../service/assistant/model/model-reader.js';
import type { Passage } from '../../service/assistant/retrieval.js';
import { type AssistantTools, type ToolParts, toolsFor } from '../../service/assistant/tools.js';
import type { Responder, Step, Turn, Working } from '../../service/assistant/working.js';
import { freshWorking } from '../../service/assistant/working.js';
import type { BacktestDeps } from '../../service/backtests/index.js';
import { SqlBacktestStore } from '../../service/backtests/store.js';
import { type PortfolioContent, Portfolios } from '../../service/portfolios/index.js';
import { bundledMarket, bundledStore, callerOf } from './backtests.js';
import { sharedState } from './shared-state.js';
import { temporaryFolder } from './temporary-folder.js';
import { root } from './tree.js';

const assetNames = new Map([
  ['BTC', ['bitcoin']],
  ['ETH', ['ethereum']],
  ['SOL', ['solana']],
  ['DOGE', ['dogecoin']],
  ['LINK', ['chainlink']],
  ['UNI', ['uniswap']],
]);

/** Bars that a conversation may run on. */
export interface HeldBars {
  readonly store: BarStore;
  readonly market: MarketData;
  readonly sampleDir: string;
}

const home = join(root, 'no-such-home');
const bundled: HeldBars = { store: bundledStore, market: bundledMarket, sampleDir: join(root, 'sample') };

/**
 * The bundled bars, where those of BTC also stand in for bars of 5 minutes of the other assets: a
 * person who writes a conversation knows nothing of what is bundled.
 */
export async function withFineBars(): Promise<HeldBars> {
  const sampleDir = temporaryFolder('fine-bars');
  const bundledDir = join(root, 'sample');
  const names = (await readdir(bundledDir)).filter((name) => name !== 'catalogue.json');
  const { entries, ...catalogue } = JSON.parse(await readFile(join(bundledDir, 'catalogue.json'), 'utf8')) as {
    readonly entries: readonly { readonly asset: string; readonly interval: string; readonly file: string }[];
  };
  const fine = entries.find(({ asset, interval }) => asset === 'BTC' && interval === '5m');
  assert.ok(fine !== undefined);
  const others = [...new Set(entries.map(({ asset }) => asset))].filter((asset) => asset !== 'BTC');
  const added = others.map((asset) => ({ ...fine, asset, file: fine.file.replace('BTC', asset) }));
  await Promise.all([
    ...names.map((name) => symlink(join(bundledDir, name), join(sampleDir, name))),
    ...added.map(({ file }) => symlink(join(bundledDir, fine.file), join(sampleDir, file))),
    writeFile(join(sampleDir, 'catalogue.json'), JSON.stringify({ ...catalogue, entries: [...entries, ...added] })),
  ]);
  const store = openBars({ home, sampleDir });
  return { store, market: openStoredMarketData(store), sampleDir };
}

/** A conversation over the bundled bars. */
export interface Talk {
  readonly steps: readonly Step[];
  readonly tools: readonly AssistantTools[];
  readonly last: Step;
}

const clock = () => Date.UTC(2026, 0, 1);

const definedBy = (passages: readonly Passage[]) => ({ define: async () => passages[0] ?? null });

/** The assistant without a language model. */
export const builtInResponder = (passages: readonly Passage[] = []): Responder =>
  new Conversation({ assetNames, passages: definedBy(passages), model: null, clock });

/** Runs of portfolios over bars, stored beside the backtests of the use cases; to be closed. */
export async function portfoliosOver(deps: BacktestDeps, { sampleDir }: HeldBars = bundled): Promise<Portfolios> {
  const { db } = await sharedState();
  return new Portfolios({
    ...{ ...deps, store: new SqlBacktestStore<PortfolioContent>(db, true), queue: deps },
    ...{ home, sampleDir },
  });
}

/** A budget without a limit. */
export const endlessTokens: ToolParts['tokens'] = { take: async () => true, settle: async () => {} };

interface ModelChanges {
  readonly answerMs?: number;
  readonly requestMs?: number;
  readonly conversationTokensMax?: number;
  readonly passages?: readonly Passage[];
  readonly key?: string;
  readonly retryMs?: number;
}

/** The assistant whose messages the model of a server reads. */
export function modelResponder(
  url: string,
  {
    answerMs = 60_000,
    requestMs = 30_000,
    conversationTokensMax = 1e9,
    passages = [],
    key,
    retryMs = 5,
  }: ModelChanges = {},
): Responder {
  const limits = { retryMs, failuresMax: 1_000 };
  const model = new ModelReader({
    model: new ModelServer({ baseUrl: `${url}/v1`, model: 'scripted', key, deadlineMs: requestMs, limits }),
    prompt: () => readPrompt(root, 'read'),
    limits: { answerMs, replyTokensMax: 1_000, conversationTokensMax },
  });
  return new Conversation({ assetNames, passages: definedBy(passages), model, clock });
}

interface TalkOptions {
  readonly userId?: string;
  readonly passages?: readonly Passage[];
  readonly scopes?: readonly string[];
  /** Default: without a language model. */
  readonly responder?: Responder;
  readonly tokens?: ToolParts['tokens'];
  /** Default: the bundled bars. */
  readonly held?: HeldBars;
}

/** Sends messages one after the other, each in the state that the one before led to. */
export async function talk(
  messages: readonly string[],
  deps: BacktestDeps,
  {
    userId = 'user',
    passages = [],
    scopes = [],
    responder = builtInResponder(passages),
    tokens = endlessTokens,
    held = bundled,
  }: TalkOptions = {},
): Promise<Talk> {
  const steps: Step[] = [];
  const tools: AssistantTools[] = [];
  const history: Turn['history'][number][] = [];
  let working: Working = freshWorking;
  let mode: Step['mode'] = 'collect_user_input';
  const { signal } = new AbortController();
  const portfolios = await portfoliosOver(deps, held);
  const parts = { bars: held.store, market: held.market, backtests: deps, portfolios, tokens };
  for (const [place, message] of messages.entries()) {
    const caller = { ...callerOf(userId), scopes };
    const own = toolsFor(caller, parts, `talk of ${userId} ${place}`, signal);
    const step = await responder.answer({ mode, working, message, history: [...history], signal }, own);
    history.push({ role: 'user', content: message }, { role: 'assistant', content: step.content });
    mode = step.mode;
    working = JSON.parse(JSON.stringify(step.working)) as Working; // as the store keeps it
    steps.push(step);
    tools.push(own);
  }
  await portfolios.close();
  return { steps, tools, last: steps.at(-1) as Step };
}

/** An opening, and what a patient user says until the conversation is done. */
export const untilDone = (opening: string): readonly string[] => [
  opening,
  ...['You choose the rest.', 'Go on.', 'Yes.', 'ok', 'Go on.'],
];
