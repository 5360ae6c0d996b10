import type { Response } from 'express';
import type { CallOptions, MethodName, ReplyOf, RequestOf, RpcClient, StreamName, UnaryName } from '../rpc/index.js';
import type { SseFrame } from './sse.js';
import type { z } from './zod.js';

/**
 * One endpoint: where it is, what it takes, which method of the contract it is, and what it
 * answers.
 */
export type Route = UnaryRoutes[UnaryName] | StreamRoutes[StreamName];
type UnaryRoutes = { readonly [M in UnaryName]: UnaryRoute<M> };
export type StreamRoutes = { readonly [M in StreamName]: StreamRoute<M> };

export interface RouteOf<M extends MethodName> {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Below the base, with parameters in braces: `/strategies/{strategy_id}`. */
  readonly path: string;
  readonly version?: 'v1' | 'v2';
  readonly rpc: M;
  readonly summary: string;
  readonly tag: string;
  readonly isPublic?: boolean;
  readonly isDeprecated?: boolean;
  readonly query?: z.ZodObject;
  /** Keys of the query that may come several times; their values are put together with commas. */
  readonly repeatable?: readonly string[];
  /**
   * Every field is optional here, so that all that are missing are named at once, by the service.
   */
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
  toRequest?(input: Input): RequestOf<M>;
}

/**
 * The functions are methods, so that a route of one method is one of any: what they take is the
 * reply of their own.
 */
export interface UnaryRoute<M extends UnaryName> extends RouteOf<M> {
  /** From the reply to the JSON; by default `success: true` and the reply. */
  toJson?(reply: ReplyOf<M>): unknown;
  /** The same answer as a stream of bytes, for those whose Accept header prefers it to JSON. */
  readonly stream?: Streamed<M>;
  /** Answers by itself, where the answer is not always JSON. */
  send?(reply: ReplyOf<M>, response: Response): void;
  readonly toFrames?: undefined;
}

/** Of a method that answers with a stream: the answer is server-sent events. */
export interface StreamRoute<M extends StreamName> extends RouteOf<M> {
  /** The frames of a part. A query `last_event_id` takes the header `Last-Event-ID` as well. */
  toFrames(part: ReplyOf<M>): readonly SseFrame[];
  /**
   * Only where what is streamed is the same for every caller who may read it: those who ask the
   * same share one call.
   */
  readonly sameForAll?: SameForAll<M>;
  readonly toJson?: undefined;
  readonly stream?: undefined;
  readonly send?: undefined;
}

/**
 * What sharing a stream takes: its request has `last_event_id` and `until_now`, and the ids of all
 * frames after the first part are numbers that grow.
 */
interface SameForAll<M extends StreamName> {
  /**
   * From the first part, the id of the newest event that there was when the reader came; null of
   * any other.
   */
  newestIdOf(part: ReplyOf<M>): number | null;
}

/** A method that takes the same request and answers in parts. */
export interface Streamed<M extends UnaryName> {
  readonly contentType: string;
  open(rpc: RpcClient, request: RequestOf<M>, options: CallOptions): AsyncIterable<Readonly<Record<string, unknown>>>;
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

/** Where a route is from the root of the server. */
export const pathOf = ({ version = 'v1', path }: Pick<Route, 'version' | 'path'>): string => `/api/${version}${path}`;

/** The schemas of the route have judged the shape; the service judges what the fields say. */
export const asRequest = <M extends MethodName>({ params, query, body }: Input) =>
  ({ ...body, ...query, ...params }) as RequestOf<M>;

export const asJson = (reply: object): unknown => ({ success: true, ...reply });

/**
 * A page states its own policy, by the hash of its script; that of the API would forbid the script.
 */
export const sendPage = ({ html }: { readonly html: string }, response: Response): void => {
  response.set({ 'Content-Security-Policy': "frame-ancestors 'none'", 'Cache-Control': 'no-store' });
  response.type('html').send(html);
};
