import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { clip } from '../../engine/text.js';
import { DependencyFault } from '../outage.js';

/**
 * Files in a store of objects (S3 or one that speaks its protocol), which many hosts share. It needs
 * no conditional write: what a key holds is never the only sign that something is there.
 */
export interface ObjectStore {
  /** Stores a file; an object of this key is replaced as a whole. */
  put(key: string, path: string): Promise<void>;
  /**
   * Writes an object to a new file, and goes on where a connection broke off.
   * @returns false, without a file, where there is no such object
   */
  get(key: string, path: string): Promise<boolean>;
  /** All objects whose keys begin so, in the order of their keys. */
  list(prefix: string): AsyncGenerator<StoredObject>;
  /** Removes an object; one that is not there is no error. */
  remove(key: string): Promise<void>;
  /** Asks once, without trying again. */
  probe(): Promise<void>;
}

interface StoredObject {
  readonly key: string;
  readonly bytes: number;
  readonly storedMs: number;
}

interface ObjectsAccess {
  readonly bucket: string;
  /** What all keys begin with, such as `prefix/`. */
  readonly prefix: string;
  /** Address of a store other than AWS, whose buckets are paths. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** Some half a minute of waiting in all, longer than a store asks to slow down. */
const TRIES_MAX = 8;
const WAIT_MS_FIRST = 100;
const WAIT_MS_MAX = 8_000;
const SILENCE_MS_MAX = 20_000;
/** Of an answer that is no file. */
const TEXT_BYTES_MAX = 4 * 1024 * 1024;
const NO_BODY = createHash('sha256').digest('hex');

/** What is true of a failure that may pass: the store is slow, overloaded or away. */
class Passing extends Error {}

interface Sent {
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A file to send. */
  readonly path?: string;
}

type Send = (method: string, key: string, sent?: Sent) => Promise<IncomingMessage>;

/**
 * Every call is tried again while it fails in a way that may pass, and then throws a
 * `DependencyFault` of `objects`.
 */
export function openObjects(access: ObjectsAccess): ObjectStore {
  const { prefix } = access;
  const send = sender(access);
  const whole = (key: string): string => `${prefix}${key}`;
  return {
    async put(key, path) {
      await patiently(async () => {
        const headers = { 'X-Amz-Content-Sha256': await hashOf(path) };
        await foundText(await send('PUT', whole(key), { headers, path }));
      });
    },
    get: (key, path) => receive(send, whole(key), path),
    async *list(start) {
      for (let after = ''; ; ) {
        const query = { 'list-type': '2', prefix: whole(start), ...(after && { 'continuation-token': after }) };
        const text = await patiently(async () => foundText(await send('GET', '', { query })));
        for (const [, entry = ''] of text.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
          const key = elementOf(entry, 'Key').slice(prefix.length);
          yield {
            key,
            bytes: Number(elementOf(entry, 'Size')),
            storedMs: Date.parse(elementOf(entry, 'LastModified')),
          };
        }
        after = elementOf(text, 'NextContinuationToken');
        if (elementOf(text, 'IsTruncated') !== 'true' || after === '') return;
      }
    },
    async remove(key) {
      await patiently(async () => readText(await send('DELETE', whole(key))));
    },
    async probe() {
      const query = { 'list-type': '2', prefix, 'max-keys': '1' };
      await asFault(async () => foundText(await send('GET', '', { query })));
    },
  };
}

/** Signs and sends requests; resolves once the answer begins. */
function sender({ bucket, endpoint, region, accessKeyId, secretAccessKey, sessionToken }: ObjectsAccess): Send {
  const base =
    endpoint === undefined
      ? `https://${bucket}.s3.${region}.amazonaws.com`
      : `${endpoint.replace(/\/$/, '')}/${bucket}`;
  return async (method, key, { query = {}, headers = {}, path } = {}) => {
    const url = new URL(`${base}/${key}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const credentials = { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
    const unsigned = { 'X-Amz-Content-Sha256': NO_BODY, ...headers };
    const signed = await new AwsV4Signer({
      ...{ method, url: url.href, service: 's3', region, headers: unsigned },
      ...credentials,
    }).sign();
    const length = path === undefined ? 0 : (await stat(path)).size;
    const open = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const sending = open(signed.url, {
      method,
      headers: { ...Object.fromEntries(signed.headers), ...(method === 'PUT' && { 'Content-Length': String(length) }) },
      timeout: SILENCE_MS_MAX,
    });
    sending.on('timeout', () => sending.destroy(new Passing(`no data within ${SILENCE_MS_MAX} ms`)));
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      sending.on('response', resolve).on('error', reject);
    });
    if (path === undefined) sending.end();
    else pipeline(createReadStream(path), sending).catch((error: Error) => sending.destroy(error));
    const answer = await answered;
    const { statusCode: status = 0 } = answer;
    if (status < 300 || status === 404) return answer;
    const said = clip(elementOf(await readText(answer), 'Code') || String(status), 60);
    const message = `${method} of ${bucket}/${key}: status ${status}, ${said}`;
    throw status >= 500 || status === 429 || status === 408 ? new Passing(message) : new Error(message);
  };
}

/** Writes an object to a file, which begins with what an earlier try received. */
async function receive(send: Send, key: string, path: string): Promise<boolean> {
  let tag = '';
  return patiently(async () => {
    const had = tag === '' ? 0 : await bytesOf(path);
    const answer = await send('GET', key, had > 0 ? { headers: { Range: `bytes=${had}-`, 'If-Match': tag } } : {});
    const { etag = '', 'content-length': length = '' } = answer.headers;
    const isRest = answer.statusCode === 206;
    if (answer.statusCode === 404 || (isRest && etag !== tag)) {
      tag = '';
      answer.destroy();
      if (!isRest) return false;
      throw new Passing(`${key} was replaced while it was read`);
    }
    tag = etag;
    // A store that knows no ranges sends the whole.
    await pipeline(answer, createWriteStream(path, { flags: isRest ? 'a' : 'w' }));
    const [has, expected] = [await bytesOf(path), (isRest ? had : 0) + Number(length)];
    if (length !== '' && has !== expected) throw new Passing(`${key} broke off at ${has} of ${expected} bytes`);
    return true;
  });
}

const bytesOf = async (path: string): Promise<number> => (await stat(path)).size;

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}

/** The text of an answer; 404 here means that there is no such bucket. */
async function foundText(answer: IncomingMessage): Promise<string> {
  const text = await readText(answer);
  if (answer.statusCode === 404) throw new Error(`status 404, ${elementOf(text, 'Code')}`);
  return text;
}

async function readText(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > TEXT_BYTES_MAX) throw new Error(`an answer has more than ${TEXT_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The text of the first element of a name, or ''. Keys here have no character that XML escapes. */
const elementOf = (xml: string, name: string): string => {
  const from = xml.indexOf(`<${name}>`);
  const to = xml.indexOf(`</${name}>`, from);
  return from < 0 || to < 0 ? '' : xml.slice(from + name.length + 2, to);
};

/** Whether the same call may succeed later: connections fail with a code, files with their path too. */
const mayPass = (error: unknown): boolean => {
  const { code, path } = error as NodeJS.ErrnoException;
  return error instanceof Passing || (code !== undefined && path === undefined && !code.startsWith('ERR_INVALID'));
};

async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error) || tries === TRIES_MAX) return asFault(() => Promise.reject(error));
      const wait = Math.min(WAIT_MS_MAX, WAIT_MS_FIRST * 2 ** tries);
      await delay(wait * (0.5 + Math.random() / 2));
    }
  }
}

/** Names the store of objects as what failed, but for errors of files here. */
async function asFault<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { path } = error as NodeJS.ErrnoException;
    throw path === undefined ? new DependencyFault('objects', 'away', { cause: error }) : error;
  }
}
