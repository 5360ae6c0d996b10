import express, { type Request, type RequestHandler, type Response } from 'express';
import { ApiError, checkJsonSize, inTurn, type RpcClient } from '../rpc/index.js';
import type { Route } from './route.js';
import { callOptions, checkAccess, foreseeAccess } from './translate.js';

/** Room for the largest evaluation: 20,000 bars of 200 bytes. */
export const BODY_BYTES_MAX = 4 * 1024 * 1024;
/** A body up to this size is parsed in less time than the service takes to check access. */
const SMALL_BYTES_MAX = 16_384;
/** What a byte of a compressed body may unpack to, far above the 5 to 20 of bars and strategies. */
const RATIO_MAX = 50;

const all = { type: () => true };
const parseSmall = express.json({ ...all, limit: SMALL_BYTES_MAX, strict: false });

/**
 * Parses JSON and ignores the content type. A caller without access gets that refusal before any
 * complaint about the body, and before a large or compressed one is read. Any call counts once: by
 * itself, or where its body is refused.
 */
export function readBody(route: Route, rpc: RpcClient): RequestHandler {
  return async (request, response, next) => {
    if (!hasBody(request)) return next();
    const options = callOptions(request, response);
    if (!isSmall(request)) await foreseeAccess(route, rpc, options);
    try {
      if (isSmall(request)) await run(parseSmall, request, response);
      else request.body = await readLarge(request, response);
    } catch (error) {
      await checkAccess(route, rpc, options);
      throw error;
    }
    next();
  };
}

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const isSmall = ({ headers }: Request): boolean =>
  !isCompressed(headers) && Number(headers['content-length'] ?? Infinity) <= SMALL_BYTES_MAX;

const isCompressed = (headers: Request['headers']): boolean =>
  (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';

async function readLarge(request: Request, response: Response): Promise<unknown> {
  const bytes = await readBytes(request, response);
  return bytes.length === 0 ? {} : inTurn(() => parse(bytes, requestCharset(request)));
}

/**
 * The bytes of a body, unpacked.
 * @throws ApiError PAYLOAD_TOO_LARGE; errors of the body parser
 */
export async function readBytes(request: Request, response: Response): Promise<Buffer> {
  const sent = Number(request.headers['content-length'] ?? SMALL_BYTES_MAX);
  const ratioBytesMax = isCompressed(request.headers) ? RATIO_MAX * sent : Infinity;
  const limit = Math.min(BODY_BYTES_MAX, ratioBytesMax);
  try {
    await run(express.raw({ ...all, limit }), request, response);
  } catch (error) {
    if (limit === BODY_BYTES_MAX || (error as { type?: unknown }).type !== 'entity.too.large') throw error;
    const message = `a compressed body may unpack to ${RATIO_MAX} times its size, here ${limit} bytes, and has more`;
    throw new ApiError('PAYLOAD_TOO_LARGE', message, { limit });
  }
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

const run = (handler: RequestHandler, request: Request, response: Response): Promise<void> =>
  new Promise((resolve, reject) => {
    handler(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });

const requestCharset = (request: Request): string =>
  /;\s*charset="?([^";\s]+)/i.exec(request.get('Content-Type') ?? '')?.[1] ?? 'utf-8';

function parse(bytes: Buffer, charset: string): unknown {
  let text: string;
  try {
    text = new TextDecoder(charset).decode(bytes);
  } catch {
    throw new ApiError('VALIDATION_ERROR', 'the request cannot be read');
  }
  checkJsonSize(/^utf-?8$/i.test(charset) ? bytes : Buffer.from(text));
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('VALIDATION_ERROR', 'the body is not valid JSON');
  }
}
