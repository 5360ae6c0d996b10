import type { Response } from 'express';
import type { z } from 'zod';
import type { Binding, Endpoint, MethodName, ReplyOf, RequestOf, StreamName, UnaryName } from '../contract/index.js';
import type { CallerIds, CallOptions, RpcClient } from '../rpc/index.js';
import type { JsonSchema, Schemas } from './schemas.js';
import type { SseFrame } from './sse.js';

declare global {
  namespace Express {
    /** What the handlers of one request tell each other. */
    interface Locals {
      correlationId: string;
      /** The pattern of the path; absent where no route was found. */
      route?: string;
      method?: string;
      caller?: CallerIds | null;
      isDeprecated?: boolean;
      /** For the log. */
      error?: unknown;
    }
  }
}

/** One path of a method: what the contract says of it, and what its adapter does differently. */
export type Route = UnaryRoutes[UnaryName] | StreamRoutes[StreamName];
type UnaryRoutes = { readonly [M in UnaryName]: UnaryRoute<M> };
export type StreamRoutes = { readonly [M in StreamName]: StreamRoute<M> };
export type UnaryRoute<M extends UnaryName> = RouteOf<M> & UnaryAdapter<M>;
export type StreamRoute<M extends StreamName> = RouteOf<M> & StreamAdapter<M>;

export interface RouteOf<M extends MethodName> extends CommonAdapter<M> {
  readonly rpc: M;
  readonly endpoint: Endpoint;
  readonly binding: Binding;
  readonly method: Binding['verb'];
  /** From the root of the server, with parameters in braces: `/api/v1/strategies/{strategy_id}`. */
  readonly path: string;
  readonly isPublic: boolean;
  /** Absent if the route reads no query. */
  readonly query?: z.ZodObject | undefined;
  /** Query keys that may be repeated; their values are joined with commas. */
  readonly repeatable: readonly string[];
  /** Request fields that come from cookies, by the name of the cookie. */
  readonly cookies: Readonly<Record<string, string>>;
  /**
   * Absent if the route takes no body. All fields are optional here, so that the service can name
   * all missing ones at once.
   */
  readonly body?: z.ZodObject | undefined;
  /** Body fields for which null differs from leaving the field out. */
  readonly keptNulls: readonly string[];
  /** Body fields that the service requires; used for the documentation only. */
  readonly required: readonly string[];
}

/** What JSON over HTTP cannot take from the contract: see `adapters/`. */
interface CommonAdapter<M extends MethodName> {
  /** Builds the request from path, query and body. Default: all their fields together. */
  toRequest?(input: Input): RequestOf<M>;
  /** Whether query and body may have keys that the contract does not declare. */
  readonly takesAnyKey?: true;
  /** Query keys beside the fields of the request, for the document. */
  readonly queryBeside?: Readonly<Record<string, JsonSchema>>;
  /** Default: `application/json`, or server-sent events for a stream. */
  readonly contentType?: string;
  /** Schema of the whole answer, where `toJson` or `send` changes it. */
  describe?(schemas: Schemas): JsonSchema;
}

/**
 * The functions are declared as methods, because method parameters are bivariant: an adapter of one
 * RPC method is then assignable to the union of all.
 */
export interface UnaryAdapter<M extends UnaryName> extends CommonAdapter<M> {
  /** Converts the reply to JSON. Default: `success: true` and the reply. */
  toJson?(reply: ReplyOf<M>): unknown;
  /** The same answer as a stream of bytes, for clients whose Accept header prefers it to JSON. */
  readonly stream?: Streamed<M>;
  /** Sends the answer itself, if it is not always JSON. */
  send?(reply: ReplyOf<M>, response: Response): void;
  readonly toFrames?: undefined;
}

/** A method that answers with a stream, sent as server-sent events. */
interface StreamAdapter<M extends StreamName> extends CommonAdapter<M> {
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
  readonly stream?: undefined;
  readonly send?: undefined;
}

export type Adapters = { readonly [M in UnaryName]?: UnaryAdapter<M> } & {
  readonly [M in StreamName]?: StreamAdapter<M>;
};

/**
 * Requirements for sharing a stream: its request has `last_event_id` and `until_now`, and the ids
 * of all frames after the first part are increasing numbers.
 */
interface SameForAll<M extends StreamName> {
  /**
   * From the first part, the id of the newest event when the reader joined; null for any other
   * part.
   */
  newestId(part: ReplyOf<M>): number | null;
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

interface Input {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The shape has been checked; the service checks the values. */
export const asRequest = <M extends MethodName>({ params, query, body }: Input) =>
  ({ ...body, ...query, ...params }) as RequestOf<M>;
