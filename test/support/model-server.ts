import { type AtEnd, startUpstream, type UpstreamServer } from './upstream-server.js';

// biome-ignore lint/suspicious/noExplicitAny: the JSON of a scripted server, in the format of chats
type Json = any;

/** What a scripted model knows when it replies. */
export interface Asked {
  /** State of the conversation, as the prompt names it. */
  readonly mode: string;
  /** The message that is answered. */
  readonly message: string;
  readonly context: Json;
  /** Results of the calls that it made in this turn, oldest first. */
  readonly results: readonly { readonly name: string; readonly result: Json }[];
  /** How often it was asked to write its answer again. */
  readonly rewrites: number;
  readonly tools: readonly string[];
  readonly mayCall: boolean;
}

export interface Reply {
  readonly say?: string;
  /** Names and arguments; a text is sent as it is, so it may be broken JSON. */
  readonly calls?: readonly (readonly [name: string, args: object | string])[];
  readonly isCut?: boolean;
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number };
}

export type Script = (asked: Asked) => Reply;

export interface ScriptedServer extends UpstreamServer {
  script: Script;
}

/** A server on this machine that speaks the OpenAI chat format; a script decides what it says. */
export async function startModelServer(t: AtEnd, script: Script): Promise<ScriptedServer> {
  const upstream = await startUpstream(t, ({ path, body }) => {
    if (path.endsWith('/embeddings')) return embeddingsOf((body as Json).input);
    return path.endsWith('/chat/completions') ? completionOf(server.script(readAsked(body as Json))) : undefined;
  });
  const server: ScriptedServer = Object.assign(upstream, { script });
  return server;
}

function readAsked(body: Json): Asked {
  const { messages, tools = [] } = body;
  const texts = messages.map(({ content }: Json) => String(content ?? ''));
  const isRewrite = ({ role, content }: Json) => role === 'user' && content.startsWith('Your answer was not sent');
  const last = messages.findLastIndex((each: Json) => each.role === 'user' && !isRewrite(each));
  const names = new Map<string, string>();
  const results: { name: string; result: Json }[] = [];
  for (const { role, tool_calls = [], tool_call_id, content } of messages.slice(last + 1)) {
    for (const { id, function: called } of tool_calls) names.set(id, called.name);
    if (role === 'tool') results.push({ name: names.get(tool_call_id) ?? '', result: JSON.parse(content) });
  }
  return {
    mode: /State: `(\w+)`/.exec(texts[0])?.[1] ?? '',
    message: texts[last],
    context: JSON.parse(texts[0].slice(texts[0].lastIndexOf('\n') + 1)),
    results,
    rewrites: messages.slice(last + 1).filter(isRewrite).length,
    tools: tools.map((tool: Json) => tool.function.name),
    mayCall: body.tool_choice !== 'none',
  };
}

/**
 * Letters by how often a text has them: alike for texts alike. In no order, as servers may answer.
 */
const embeddingsOf = (texts: readonly string[]): object => ({
  object: 'list',
  data: texts
    .map((text, index) => {
      const embedding = Array.from({ length: 26 }, () => 0);
      for (const letter of text.toLowerCase()) {
        const place = letter.charCodeAt(0) - 97;
        if (place >= 0 && place < 26) embedding[place]! += 1;
      }
      return { object: 'embedding', index, embedding };
    })
    .reverse(),
});

let calls = 0;

const completionOf = ({ say, calls: made = [], isCut = false, usage }: Reply): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      finish_reason: isCut ? 'length' : made.length > 0 ? 'tool_calls' : 'stop',
      message: {
        role: 'assistant',
        content: say ?? null,
        ...(made.length === 0
          ? {}
          : {
              tool_calls: made.map(([name, args]) => ({
                id: `call_${calls++}`,
                type: 'function',
                function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
              })),
            }),
      },
    },
  ],
  usage: usage ?? { prompt_tokens: 900, completion_tokens: 100 },
});

const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;

/** Does what the prompts ask for, with the figures that the tools return. */
export const obedient: Script = (asked) => {
  const { mode, message, context, results } = asked;
  const done = (name: string) => results.findLast((each) => each.name === name)?.result;
  const asset = context.assets.find((each: string) => new RegExp(`\\b${each}`, 'i').test(message));
  const timeframe = context.timeframes.find((each: string) => new RegExp(`\\b${each}\\b`, 'i').test(message));
  const acts: Readonly<Record<string, () => Reply>> = {
    collect_user_input() {
      const facts = { ...(asset && { asset }), ...(timeframe && { timeframe }) };
      const noted = done('note_requirements');
      if (noted === undefined) return { calls: [['note_requirements', { ...facts, is_complete: true }]] };
      if (noted.error !== undefined) return { calls: [['note_requirements', { is_complete: true, timeframe: '1d' }]] };
      return {
        say: `I understand that you want ${noted.noted.asset} on ${noted.noted.timeframe} bars. Signals come next.`,
      };
    },
    plan_signals() {
      const description = String(context.collected.user_intention).slice(0, 300);
      const found = results.filter(({ name }) => name === 'search_signals').map(({ result }) => result);
      if (found.length === 0) {
        return {
          calls: [
            ['search_signals', { description: `${description} trend cross`, type: 'TRIGGER' }],
            ['search_signals', { description: `${description} trend above moving average`, type: 'FILTER' }],
          ],
        };
      }
      const usable = (list: Json[]) =>
        list.filter(({ bias, cannot_run }) => bias !== 'bearish' && cannot_run === undefined).slice(0, 2);
      const rule = ({ name }: Json) => ({ name, reason: 'It fits the idea.' });
      const proposed = done('propose_signals');
      if (proposed?.error !== undefined || usable(found[0]).length === 0 || usable(found[1]).length === 0) {
        if (results.length > 4) return { say: 'I found no signals that fit.' };
        return {
          calls: [
            [
              'propose_signals',
              { triggers: [rule({ name: 'ema_cross_up' })], filters: [rule({ name: 'is_above_sma' })] },
            ],
          ],
        };
      }
      if (proposed === undefined) {
        return {
          calls: [['propose_signals', { triggers: usable(found[0]).map(rule), filters: usable(found[1]).map(rule) }]],
        };
      }
      const names = [...proposed.proposal.triggers, ...proposed.proposal.filters].map(({ name }) => name);
      return { say: `I propose ${names.join(', ')}. Next I put them together.` };
    },
    assemble_strategy() {
      const made = done('make_candidates');
      if (made === undefined) return { calls: [['make_candidates', {}]] };
      return {
        say: `These are the ${made.candidates.length} candidates:\n${made.candidates.join('\n')}\nNext I run them.`,
      };
    },
    backtest() {
      const tested = done('test_candidates');
      if (tested === undefined) return { calls: [['test_candidates', {}]] };
      if (tested.error !== undefined) return { say: 'The runs were refused. Please name other dates.' };
      const best = tested.candidates[(tested.best ?? 1) - 1].figures;
      return {
        say: `The best candidate returned ${percent(best.total_return)} with a largest drawdown of ${percent(best.max_drawdown)} in ${best.trade_count} trades. Holding the asset returned ${percent(tested.market_return)}. ${tested.verdict}`,
      };
    },
    done() {
      const { best, candidates } = context.tested;
      const { figures } = candidates[best ?? 0];
      return {
        say: `Candidate ${(best ?? 0) + 1} returned ${percent(figures.total_return)} in ${figures.trade_count} trades.`,
      };
    },
  };
  return acts[mode]?.() ?? { say: 'I cannot help with that.' };
};
