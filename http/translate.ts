import { once } from 'node:events';
import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import {
  ApiError,
  type CallOptions,
  checkDepth,
  type MethodName,
  pacedJson,
  type RequestOf,
  type RpcClient,
  type UnaryName,
} from '../rpc/index.js';
import { applyFieldsMask, type FieldsMask, pacedAsJson, parseFieldsMask } from './answer.js';
import { asRequest, type Route, type RouteOf, type Streamed, type UnaryRoute } from './route.js';
import { UNREAD_HEADER, unreadKeys } from './unread-keys.js';

/**
 * Handles a unary method: turns a request into its call and the reply into JSON. It checks only the
 * shape; the service interprets the fields.
 */
export function translate<M extends UnaryName>(route: UnaryRoute<M>, rpc: RpcClient): RequestHandler {
  const { toJson = (reply: object) => pacedAsJson(route, reply) } = route;
  const { status } = route.endpoint;
  const jsonAsText = route.send === undefined && route.toJson === undefined;
  return async (request, response) => {
    const options = callOptions(request, response);
    const { message, mask, unread } = await readRequest(route, rpc, request, options);
    if (unread !== null) response.set(UNREAD_HEADER, unread);
    response.set('Cache-Control', 'no-store'); // an answer may hold a token or a key
    const { stream } = route;
    if (stream !== undefined && request.accepts(['application/json', stream.contentType]) === stream.contentType) {
      const onBilled = (units: number) => response.set('X-Billed-Units', String(units));
      await sendStream(response, stream, stream.open(rpc, message, { ...options, onBilled }), options.signal);
      return;
    }
    const { body, isReplayed, billedUnits, paymentResponse } = await rpc.call(route.rpc, message, {
      ...options,
      jsonAsText,
    });
    if (isReplayed) response.set('Idempotent-Replayed', 'true');
    if (billedUnits !== null) response.set('X-Billed-Units', String(billedUnits));
    if (paymentResponse !== null) response.set(receiptHeaders(paymentResponse));
    response.set(ageHeaders(body));
    if (route.send !== undefined) {
      route.send(body, response);
      return;
    }
    const answer = await toJson(body);
    response.status(status);
    await sendJson(response, mask === null ? answer : applyFieldsMask(answer, mask), options.signal);
  };
}

/** Sends JSON piece by piece, so that a large answer does not hold up the others. */
async function sendJson(response: Response, answer: unknown, signal: AbortSignal | undefined): Promise<void> {
  const pieces = await pacedJson(answer);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  response.type('json').set('Content-Length', String(length));
  for (const piece of pieces) {
    if (!response.write(piece)) await once(response, 'drain', { signal });
  }
  response.end();
}

/** What was paid, for payers of either version of the protocol. */
const receiptHeaders = (receipt: string) => ({ 'PAYMENT-RESPONSE': receipt, 'X-PAYMENT-RESPONSE': receipt });

/**
 * HTTP's names for the age of an answer that a provider gave. Data on this machine has no age in
 * this sense, however old it is: the answer is made now.
 */
function ageHeaders(body: object): Readonly<Record<string, string>> {
  const { age_seconds: age, max_age_seconds: maxAge } = body as Readonly<Record<string, unknown>>;
  if (typeof age !== 'number' || typeof maxAge !== 'number') return {};
  return { Age: String(maxAge === 0 ? 0 : age), 'Cache-Control': `private, max-age=${maxAge}` };
}

/**
 * Sends a stream of bytes. A slow reader slows down the call, not this process. A failure after the
 * first part closes the connection.
 */
async function sendStream(
  response: Response,
  { contentType, bytesIn, headers }: Omit<Streamed<UnaryName>, 'open'>,
  parts: AsyncIterable<Readonly<Record<string, unknown>>>,
  signal: AbortSignal | undefined,
): Promise<void> {
  for await (const part of parts) {
    if (!response.headersSent) {
      response.type(contentType);
      for (const [field, header] of Object.entries(headers)) {
        if (part[field] !== null) response.set(header, String(part[field]));
      }
    }
    if (!response.write(part[bytesIn])) await once(response, 'drain', { signal });
  }
  response.end();
}

interface ReadRequest<M extends MethodName> {
  readonly message: RequestOf<M>;
  /** Null keeps all fields. */
  readonly mask: FieldsMask | null;
  /** Names keys of query and body that nothing reads; null where there are none. */
  readonly unread: string | null;
}

/**
 * Reads a request. A caller without access gets that refusal before any complaint about the
 * request.
 * @param query overrides the query of the URL; the route ignores keys that it does not know
 */
export async function readRequest<M extends MethodName>(
  route: RouteOf<M>,
  rpc: RpcClient,
  request: Request,
  options: CallOptions,
  query: Readonly<Record<string, string>> = {},
): Promise<ReadRequest<M>> {
  try {
    const input = {
      params: request.params as Record<string, string>,
      query: { ...lastOfEach(request.query, route.repeatable), ...query },
      body: request.body as unknown,
    };
    const message = { ...requestMessage(route, input), ...cookieFields(request.get('Cookie') ?? '', route.cookies) };
    const text = request.get('X-Fields');
    const mask = text === undefined ? null : parseFieldsMask(text);
    return { message, mask, unread: unreadKeys(route, { query: request.query, body: input.body }) };
  } catch (error) {
    await checkAccess(route, rpc, options);
    throw error;
  }
}

function cookieFields(header: string, names: Readonly<Record<string, string>> = {}): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const pair of header.split(';')) {
    const [name = '', value = ''] = pair.trim().split('=', 2);
    const field = Object.hasOwn(names, name) ? names[name] : undefined;
    if (field !== undefined) fields[field] = value;
  }
  return fields;
}

/** A request of a route before its shape is checked. */
export interface RawInput {
  readonly params: Readonly<Record<string, string>>;
  /** Values as text, as in a URL. */
  readonly query: Readonly<Record<string, unknown>>;
  /** Undefined for no body. */
  readonly body: unknown;
}

/**
 * The request message of a route.
 * @throws ApiError VALIDATION_ERROR that names the field of another shape
 */
export function requestMessage<M extends MethodName>(
  route: RouteOf<M>,
  { params, query, body }: RawInput,
): RequestOf<M> {
  const { toRequest = asRequest<M>, binding } = route;
  const given = parse(route.body, withoutNulls(body, route.keptNulls));
  const isOneField = binding.body !== undefined && binding.body !== '*';
  return toRequest({
    params,
    query: parse(route.query, query),
    body: isOneField ? { [binding.body]: given } : given,
  });
}

/**
 * Counts the request, of a public route too.
 * @throws ApiError AUTH_REQUIRED or a refusal if the caller may not use the route
 */
export async function checkAccess(route: Pick<Route, 'rpc'>, rpc: RpcClient, options: CallOptions): Promise<void> {
  await rpc.call('Auth.CheckAccess', { method: route.rpc }, options);
}

/** Throws what `checkAccess` would throw, but counts nothing: the call that follows does. */
export async function foreseeAccess(route: Pick<Route, 'rpc'>, rpc: RpcClient, options: CallOptions): Promise<void> {
  await rpc.call('Auth.CheckAccess', { method: route.rpc, uncounted: true }, options);
}

/** Call options from the headers of a request. */
export function callOptions(request: Request, response: Response): CallOptions {
  const header = (name: string): string | undefined => request.get(name);
  return {
    authorization: header('Authorization'),
    payment: header('PAYMENT-SIGNATURE') ?? header('X-PAYMENT'),
    clientAddress: request.ip ?? 'unknown',
    managementKey: header('X-Management-Key') ?? header('X-Mgmt-API-Key'),
    idempotencyKey: header('Idempotency-Key'),
    requestId: response.locals.correlationId,
    signal: gone(response),
    onCaller: (caller) => {
      response.locals.caller = caller;
    },
    onRate: ({ limit, remaining, resetS }) => {
      if (response.headersSent) return;
      response.set({
        'RateLimit-Limit': String(limit),
        'RateLimit-Remaining': String(remaining),
        'RateLimit-Reset': String(resetS),
      });
    },
  };
}

/** Aborted when the client disconnects before the answer. */
function gone(response: Response): AbortSignal {
  const controller = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

function parse(schema: z.ZodObject | undefined, value: unknown): Record<string, unknown> {
  if (schema === undefined) return {};
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.join('.') ?? '';
  const problem = issue?.message.replace(/^Invalid input: /, '') ?? 'is not valid';
  throw new ApiError('VALIDATION_ERROR', field === '' ? `the body: ${problem}` : `${field}: ${problem}`, { field });
}

/**
 * At the root of a body, null means the same as leaving the field out, except for the fields in
 * `kept`.
 */
function withoutNulls(body: unknown, kept: readonly string[] = []): unknown {
  if (body === undefined) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ApiError('VALIDATION_ERROR', 'the body must be a JSON object');
  }
  if (Object.hasOwn(body, '__proto__')) {
    // A schema would drop it without a word.
    throw new ApiError('VALIDATION_ERROR', 'request must not have the key __proto__');
  }
  checkDepth(body);
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => value !== null || kept.includes(name)));
}

/**
 * For a repeated key, takes the last value, or joins all values with commas if the key is
 * repeatable.
 */
function lastOfEach(query: Request['query'], repeatable: readonly string[] = []): Record<string, unknown> {
  const one = (key: string, values: readonly unknown[]) =>
    repeatable.includes(key) ? values.join(',') : values.at(-1);
  return Object.fromEntries(
    Object.entries(query).map(([key, value]) => [key, Array.isArray(value) ? one(key, value) : value]),
  );
}
