import type { Response } from 'express';
import type { MethodName } from '../rpc/index.js';
import type { SseFrame } from './sse.js';
import type { z } from './zod.js';

/** One endpoint: where it is, what it takes, which method of the contract it is, and what it answers. */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Below the base, with parameters in braces: `/strategies/{strategy_id}`. */
  readonly path: string;
  readonly version?: 'v1' | 'v2';
  readonly rpc: MethodName;
  readonly summary: string;
  readonly tag: string;
  readonly isPublic?: boolean;
  readonly isDeprecated?: boolean;
  readonly query?: z.ZodObject;
  /** Keys of the query that may come several times; their values are put together with commas. */
  readonly repeatable?: readonly string[];
  /** Every field is optional here, so that all that are missing are named at once, by the service. */
  readonly body?: z.ZodObject;
  /** Fields of the body whose null says something else than leaving them out. */
  readonly keptNulls?: readonly string[];
  /** Fields of the body without which the service refuses it, for the documentation. */
  readonly required?: readonly string[];
  /** Default 200. */
  readonly status?: number;
  /** Default application/json. */
  readonly contentType?: string;
  /** The whole answer. */
  readonly response: z.ZodType;
  /** From path, query and body to the request, where they are not simply put together. */
  readonly toRequest?: (input: Input) => object;
  /** From the reply to the JSON; by default `success: true` and the reply. */
  readonly toJson?: (reply: Record<string, unknown>) => unknown;
  /** The same answer as a stream of bytes, for those whose Accept header prefers it to JSON. */
  readonly stream?: Streamed;
  /** Answers by itself, where the answer is not always JSON. */
  readonly send?: (reply: Record<string, unknown>, response: Response) => void;
  /**
   * Of a method that answers with a stream: the frames of each part, and the answer is server-sent events. A query
   * `last_event_id` takes the header `Last-Event-ID` as well.
   */
  readonly toFrames?: (part: Record<string, unknown>) => readonly SseFrame[];
  /** Only where what is streamed is the same for every caller who may read it: those who ask the same share one call. */
  readonly sameForAll?: SameForAll;
}

/**
 * What sharing a stream takes: its request has `last_event_id` and `until_now`, and the ids of all frames after the first part are
 * numbers that grow.
 */
export interface SameForAll {
  /** From the first part, the id of the newest event that there was when the reader came; null of any other. */
  readonly newestIdOf: (part: Record<string, unknown>) => number | null;
}

/** A method that takes the same request and answers in parts. */
export interface Streamed {
  readonly contentType: string;
  readonly rpc: MethodName;
  /** Field of every part that holds the next bytes. */
  readonly bytesIn: string;
  /** Fields of the first part that are sent as headers, where they are set. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Input {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

export const asRequest = ({ params, query, body }: Input): object => ({ ...body, ...query, ...params });

export const asJson = (reply: Record<string, unknown>): unknown => ({ success: true, ...reply });

/** A page states its own policy, by the hash of its script; that of the API would forbid the script. */
export const sendPage: NonNullable<Route['send']> = ({ html }, response) => {
  response.set({ 'Content-Security-Policy': "frame-ancestors 'none'", 'Cache-Control': 'no-store' });
  response.type('html').send(html);
};
