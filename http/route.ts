import type { Response } from 'express';
import type { CallOptions, MethodName, ReplyOf, RequestOf, RpcClient, StreamName, UnaryName } from '../rpc/index.js';
import { pathPrefixes } from './paths.js';
import type { SseFrame } from './sse.js';
import type { z } from './zod.js';

/** One endpoint: its path, its input, the RPC method that it calls and its answer. */
export type Route = UnaryRoutes[UnaryName] | StreamRoutes[StreamName];
type UnaryRoutes = { readonly [M in UnaryName]: UnaryRoute<M> };
export type StreamRoutes = { readonly [M in StreamName]: StreamRoute<M> };

export interface RouteOf<M extends MethodName> {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Path below the base, with parameters in braces: `/strategies/{strategy_id}`. */
  readonly path: string;
  readonly version?: keyof typeof pathPrefixes;
  readonly rpc: M;
  readonly summary: string;
  readonly tag: string;
  readonly isPublic?: boolean;
  readonly isDeprecated?: boolean;
  readonly query?: z.ZodObject;
  /** Query keys that may be repeated; their values are joined with commas. */
  readonly repeatable?: readonly string[];
  /** Request fields that come from cookies, by the name of the cookie. */
  readonly cookies?: Readonly<Record<string, string>>;
  /** All fields are optional here, so that the service can name all missing ones at once. */
  readonly body?: z.ZodObject;
  /** Body fields for which null differs from leaving the field out. */
  readonly keptNulls?: readonly string[];
  /** Body fields that the service requires; used for the documentation only. */
  readonly required?: readonly string[];
  /** Default 200. */
  readonly status?: number;
  /** Default application/json. */
  readonly contentType?: string;
  /** Schema of the whole answer. */
  readonly response: z.ZodType;
  /** Builds the request from path, query and body. Default: all their fields together. */
  toRequest?(input: Input): RequestOf<M>;
}

/**
 * The functions are declared as methods, because method parameters are bivariant: a route of one
 * RPC method is then assignable to the union of all routes.
 */
export interface UnaryRoute<M extends UnaryName> extends RouteOf<M> {
  /** Converts the reply to JSON. Default: `success: true` and the reply. */
  toJson?(reply: ReplyOf<M>): unknown;
  /** Whether `toJson` passes on fields that hold JSON without looking into them. */
  readonly passesJson?: boolean;
  /** The same answer as a stream of bytes, for clients whose Accept header prefers it to JSON. */
  readonly stream?: Streamed<M>;
  /** Sends the answer itself, if it is not always JSON. */
  send?(reply: ReplyOf<M>, response: Response): void;
  readonly toFrames?: undefined;
}

/** A method that answers with a stream, sent as server-sent events. */
export interface StreamRoute<M extends StreamName> extends RouteOf<M> {
  /**
   * Frames for one part of the stream. The header `Last-Event-ID` also sets the query field
   * `last_event_id`.
   */
  toFrames(part: ReplyOf<M>): readonly SseFrame[];
  /**
   * Set only if the stream is the same for every caller with access. Callers with the same request
   * then share one RPC call.
   */
  readonly sameForAll?: SameForAll<M>;
  readonly toJson?: undefined;
  readonly passesJson?: undefined;
  readonly stream?: undefined;
  readonly send?: undefined;
}

/**
 * Requirements for sharing a stream: its request has `last_event_id` and `until_now`, and the ids
 * of all frames after the first part are increasing numbers.
 */
interface SameForAll<M extends StreamName> {
  /**
   * From the first part, the id of the newest event when the reader joined; null for any other
   * part.
   */
  newestIdOf(part: ReplyOf<M>): number | null;
}

/** A streaming method that takes the same request. */
export interface Streamed<M extends UnaryName> {
  readonly contentType: string;
  open(rpc: RpcClient, request: RequestOf<M>, options: CallOptions): AsyncIterable<Readonly<Record<string, unknown>>>;
  /** Field that holds the bytes of a part. */
  readonly bytesIn: string;
  /** Fields of the first part that are sent as headers, if set. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Input {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Path of a route from the root of the server. */
export const pathOf = ({ version = 'v1', path }: Pick<Route, 'version' | 'path'>): string =>
  `${pathPrefixes[version]}${path}`;

/** The schemas of the route have checked the shape; the service checks the values. */
export const asRequest = <M extends MethodName>({ params, query, body }: Input) =>
  ({ ...body, ...query, ...params }) as RequestOf<M>;

export const asJson = (reply: object): unknown => ({ success: true, ...reply });

/**
 * The page carries its own content security policy, which allows its script by hash; the policy of
 * the API would block the script.
 */
export const sendPage = ({ html }: { readonly html: string }, response: Response): void => {
  response.set({ 'Content-Security-Policy': "frame-ancestors 'none'", 'Cache-Control': 'no-store' });
  response.type('html').send(html);
};
