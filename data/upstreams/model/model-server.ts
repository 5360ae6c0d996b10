import type OpenAI from 'openai';
import { z } from 'zod';
import { settleMissing } from '../../package/index.js';
import { UpstreamFault } from '../fault.js';
import { type ReceiveRules, readText, requestFault, statusFault } from '../receive.js';
import { Upstream, type UpstreamLimits } from '../upstream.js';

/** A message as a chat model reads it. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  /** JSON Schema that the answer must fit. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Most tokens of the reply. */
  readonly tokensMax: number;
}

export interface ChatReply {
  /** JSON, if the model keeps to the schema. */
  readonly content: string;
  /** Whether the reply ended at `tokensMax`. */
  readonly isCut: boolean;
  /** As the server counts; null if it does not. */
  readonly tokens: { readonly prompt: number; readonly answer: number } | null;
}

/** A model that makes vectors of texts. */
export interface VectorModel {
  /** As its server calls it. */
  readonly name: string;
  /**
   * A vector for each text, all of one length.
   * @throws UpstreamFault
   */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
}

/** A model that answers chats. */
export interface ChatModel {
  /** As its server calls it. */
  readonly model: string;
  /** @throws UpstreamFault when the server fails or the signal is aborted */
  complete(request: ChatRequest, signal: AbortSignal): Promise<ChatReply>;
}

interface ModelServerOptions {
  /** Up to and with the version: `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** The model that makes vectors; undefined without one. */
  readonly vectorModel?: string | undefined;
  /** Local servers need none. */
  readonly key: string | undefined;
  /** For one reply, all tries included. */
  readonly deadlineMs: number;
  readonly limits?: Partial<UpstreamLimits>;
}

const PROVIDER = 'language model';
const CONCURRENT = 8;
const RETRIES_MAX = 4;
const RETRY_MS = 500;
const BODY_BYTES_MAX = 4 * 1024 * 1024;

/** Texts in one request for vectors: their answer stays below the limit of a body. */
const TEXTS_AT_ONCE = 32;
const never = new AbortController().signal;

const count = z.int().min(0);

/** The part of a chat completion that is read. Some local servers leave ids and counts out. */
const completion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish() }),
      }),
    )
    .min(1),
  /** Counts that cannot be are as none; the answer itself is good. */
  usage: z.object({ prompt_tokens: count, completion_tokens: count }).nullish().catch(null),
});

/** The part of a list of vectors that is read; one text has vectors of one length. */
const embeddings = z.object({
  data: z.array(z.object({ index: count, embedding: z.array(z.number()).min(1) })).min(1),
});

/**
 * A server that speaks the OpenAI chat format. The client library is loaded at the first question.
 */
export class ModelServer implements ChatModel {
  readonly model: string;
  /** Null where no model for vectors is set. */
  readonly vectors: VectorModel | null;
  readonly upstreams: readonly Upstream[];
  readonly #upstream: Upstream;
  #questions = 0;
  /** Newer models of OpenAI refuse the older name, and older servers know no other. */
  #tokensField: 'max_tokens' | 'max_completion_tokens' = 'max_tokens';
  /** Whether the server holds the model to a schema; some local ones refuse the field. */
  #takesSchema = true;

  constructor(private readonly options: ModelServerOptions) {
    const { baseUrl, model, vectorModel: name, deadlineMs, limits } = options;
    this.model = model;
    this.vectors = name === undefined ? null : { name, embed: (texts) => this.#vectorsOf(name, texts) };
    this.#upstream = new Upstream({
      name: PROVIDER,
      baseUrl,
      limits: {
        ...{ deadlineMs, retryMs: RETRY_MS, retriesMax: RETRIES_MAX, bodyBytesMax: BODY_BYTES_MAX },
        // Each conversation asks what no other has asked.
        ...{ concurrent: CONCURRENT, answersKept: 1, staleMsMax: 0 },
        ...limits,
      },
    });
    this.upstreams = [this.#upstream];
  }

  async complete({ messages, schema, tokensMax }: ChatRequest, signal: AbortSignal): Promise<ChatReply> {
    const {
      choices: [choice],
      usage,
    } = await this.#ask(completion, signal, (client, options) =>
      client.chat.completions.create(
        {
          model: this.model,
          messages: this.#takesSchema ? [...messages] : [...messages, schemaMessage(schema)],
          [this.#tokensField]: tokensMax,
          ...(this.#takesSchema
            ? { response_format: { type: 'json_schema', json_schema: { name: 'reading', strict: true, schema } } }
            : {}),
        },
        options,
      ),
    );
    return {
      content: choice?.message.content ?? '',
      isCut: choice?.finish_reason === 'length',
      tokens: usage ? { prompt: usage.prompt_tokens, answer: usage.completion_tokens } : null,
    };
  }

  async #vectorsOf(model: string, texts: readonly string[]): Promise<readonly Float32Array[]> {
    const made: Float32Array[] = [];
    for (let from = 0; from < texts.length; from += TEXTS_AT_ONCE) {
      const input = texts.slice(from, from + TEXTS_AT_ONCE);
      const { data } = await this.#ask(embeddings, never, (client, options) =>
        client.embeddings.create({ model, input, encoding_format: 'float' }, options),
      );
      const sorted = [...data].sort((a, b) => a.index - b.index);
      const length = made[0]?.length ?? sorted[0]?.embedding.length;
      const isWhole = sorted.every(({ index, embedding }, place) => index === place && embedding.length === length);
      if (!isWhole || sorted.length !== input.length) {
        throw new UpstreamFault(
          PROVIDER,
          'shape',
          `${sorted.length} vectors of ${input.length} texts, or of other lengths`,
        );
      }
      made.push(...sorted.map(({ embedding }) => Float32Array.from(embedding)));
    }
    return made;
  }

  async #ask<T>(
    schema: z.ZodType<T>,
    signal: AbortSignal,
    send: (client: OpenAI, options: { signal: AbortSignal }) => PromiseLike<unknown>,
  ): Promise<T> {
    const question = this.#upstream.ask({
      path: '',
      name: String(this.#questions++),
      schema,
      maxAgeMs: 0,
      absentStatuses: [],
      send: (rules) => this.#send({ ...rules, signal: AbortSignal.any([rules.signal, signal]) }, send),
    });
    const { value } = await question;
    if (value === null) throw new UpstreamFault(PROVIDER, 'answer', 'an answer that is null');
    return value;
  }

  async #send(
    rules: ReceiveRules,
    send: (client: OpenAI, options: { signal: AbortSignal }) => PromiseLike<unknown>,
  ): Promise<unknown> {
    const { provider, signal } = rules;
    let fault: UpstreamFault | null = null;
    const client = await this.#client(async (input, init) => {
      try {
        return await this.#fetch(input, init, rules);
      } catch (error) {
        fault = requestFault(error, provider, signal); // the library would keep its text only
        throw fault;
      }
    });
    try {
      return await send(client, { signal });
    } catch (error) {
      if (fault !== null) throw fault;
      if (error instanceof SyntaxError) throw new UpstreamFault(provider, 'answer', 'an answer that is not JSON');
      throw requestFault(error, provider, signal);
    }
  }

  /** Reads a whole answer within the limits, so that the library neither waits nor retries. */
  async #fetch(input: string | URL | Request, init: RequestInit | undefined, rules: ReceiveRules): Promise<Response> {
    const response = await fetch(input, { ...init, redirect: 'error', signal: rules.signal });
    if (response.ok) {
      const text = await readText(response, rules);
      return new Response(text, { headers: { 'Content-Type': 'application/json' } });
    }
    // `ask` sends the question again, in the form that the server takes.
    const refusal = response.status === 400 || response.status === 422 ? await readText(response, rules) : '';
    if (this.#tokensField === 'max_tokens' && refusal.includes('max_completion_tokens')) {
      this.#tokensField = 'max_completion_tokens';
      throw new UpstreamFault(rules.provider, 'server', 'it wants max_completion_tokens');
    }
    if (this.#takesSchema && /response_format|json_schema/.test(refusal)) {
      this.#takesSchema = false;
      throw new UpstreamFault(rules.provider, 'server', 'it takes no schema');
    }
    if (!response.bodyUsed) await response.body?.cancel();
    throw statusFault(rules.provider, response);
  }

  /** Nothing is read from the environment, nothing is printed, and no request is sent twice. */
  async #client(send: typeof fetch): Promise<OpenAI> {
    const { default: Client } = await settleMissing(() => import('openai'));
    const { baseUrl, key, deadlineMs } = this.options;
    return new Client({
      ...{ baseURL: baseUrl, apiKey: key ?? 'unused', adminAPIKey: null, organization: null, project: null },
      ...{ webhookSecret: null, maxRetries: 0, timeout: deadlineMs, logLevel: 'off', fetch: send },
      ...(key === undefined ? { defaultHeaders: { Authorization: null } } : {}),
    });
  }
}

/** The schema in words, for servers that do not hold a model to one. */
const schemaMessage = (schema: ChatRequest['schema']): ChatMessage => ({
  role: 'user',
  content: `Answer with one JSON object and nothing else. It must fit this JSON Schema: ${JSON.stringify(schema)}`,
});
