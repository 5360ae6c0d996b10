import { noChange } from '../../service/assistant/plan/plan.js';
import { type AtEnd, Refusal, startUpstream, type UpstreamServer } from './upstream-server.js';

// biome-ignore lint/suspicious/noExplicitAny: the JSON of a scripted server, in the format of chats
type Json = any;

/** What a scripted model knows when it replies. */
export interface Asked {
  /** The message that is read. */
  readonly message: string;
  /** What the prompt says of the conversation. */
  readonly context: Json;
  /** How often it was asked to answer again. */
  readonly again: number;
  /** Whether the request holds it to a schema. */
  readonly hasSchema: boolean;
}

export interface Reply {
  /** A text, or the parts of a reading that are not empty. */
  readonly say: string | object;
  readonly isCut?: boolean;
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number };
}

export type Script = (asked: Asked) => Reply;

export interface ScriptedServer extends UpstreamServer {
  script: Script;
}

interface ServerChanges {
  /** Whether the server knows `response_format`; a server that does not refuses it. */
  readonly takesSchema?: boolean;
}

/** A server on this machine that speaks the OpenAI chat format; a script decides what it says. */
export async function startModelServer(
  t: AtEnd,
  script: Script,
  { takesSchema = true }: ServerChanges = {},
): Promise<ScriptedServer> {
  const upstream = await startUpstream(t, ({ path, body }) => {
    if (path.endsWith('/embeddings')) return embeddings((body as Json).input);
    if (!path.endsWith('/chat/completions')) return undefined;
    if (!takesSchema && 'response_format' in (body as Json))
      return new Refusal(400, { error: { message: 'Unrecognized request argument supplied: response_format' } });
    return completion(server.script(readAsked(body as Json)));
  });
  const server: ScriptedServer = Object.assign(upstream, { script });
  return server;
}

const isAgain = ({ role, content }: Json): boolean => role === 'user' && content.startsWith('That does not fit');
const isSchema = ({ role, content }: Json): boolean => role === 'user' && content.startsWith('Answer with one JSON');

function readAsked({ messages, response_format }: Json): Asked {
  const own = messages.filter((each: Json) => !isSchema(each));
  const last = own.findLastIndex((each: Json) => each.role === 'user' && !isAgain(each));
  const system = String(own[0]?.content ?? '');
  const context = system.slice(system.lastIndexOf('\n') + 1);
  return {
    message: own[last].content,
    context: context.startsWith('{') ? JSON.parse(context) : {},
    again: own.slice(last + 1).filter(isAgain).length,
    hasSchema: response_format !== undefined || own.length < messages.length,
  };
}

/**
 * Letters by how often a text has them: alike for texts alike. In no order, as servers may answer.
 */
const embeddings = (texts: readonly string[]): object => ({
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

const completion = ({ say, isCut = false, usage }: Reply): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      finish_reason: isCut ? 'length' : 'stop',
      message: { role: 'assistant', content: typeof say === 'string' ? say : JSON.stringify(say) },
    },
  ],
  usage: usage ?? { prompt_tokens: 900, completion_tokens: 100 },
});

/** What a model says of a message of which it reads nothing. */
export const nothingRead = {
  change: noChange,
  ...{ topics: [], terms: [], figures: [], claims: [], not_understood: [] },
  ...{ sentiment: null, knowledge_level: null },
};
