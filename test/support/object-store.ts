import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom } from './random.js';
import { temporaryFolder } from './temporary-folder.js';

interface Store {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}

/** The package has no types. */
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => Store;

/** What happens to a request on its way to the store. */
type Fault = 'cut' | 'lost answer' | 'half an answer' | 'slow down' | 'error' | 'delay';

const faults: readonly Fault[] = ['cut', 'lost answer', 'half an answer', 'slow down', 'error', 'delay'];
const BUCKET = 'rows-and-bars';

/**
 * A store of objects on this machine, behind a proxy that lets requests fail.
 * @param faultShare of the requests; 0 for none
 */
export async function startObjectStore(faultShare: number) {
  const store = new S3rver({
    ...{ port: 0, address: '127.0.0.1', silent: true, directory: temporaryFolder('objects') },
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await store.run();
  const random = seededRandom(7);
  const seen = new Map<Fault, number>();
  const requests: { readonly method: string; readonly range: string | undefined }[] = [];
  let share = faultShare;
  let forced: Fault | null = null;

  const proxy = createServer(async (incoming, outgoing) => {
    const drawn = random() < share ? (faults[Math.floor(random() * faults.length)] ?? null) : null;
    const fault = forced ?? drawn;
    forced = null;
    if (fault !== null) seen.set(fault, (seen.get(fault) ?? 0) + 1);
    requests.push({ method: incoming.method ?? '', range: incoming.headers.range });
    if (fault === 'cut') return void incoming.socket.destroy();
    if (fault === 'slow down') return refuse(outgoing, 503, 'SlowDown');
    if (fault === 'error') return refuse(outgoing, 500, 'InternalError');
    if (fault === 'delay') await delay(50);
    const { method, url, headers } = incoming;
    const forwarded = request({ host: '127.0.0.1', port, method, path: url, headers });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
    const [answer] = (await once(forwarded, 'response')) as [IncomingMessage];
    if (fault === 'lost answer') return void incoming.socket.destroy();
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    if (fault !== 'half an answer') return void answer.pipe(outgoing);
    const half = Math.floor(Number(answer.headers['content-length'] ?? 0) / 2);
    for await (const chunk of answer) {
      outgoing.write(chunk.subarray(0, half));
      break;
    }
    await delay(10); // so that the half arrives
    outgoing.destroy();
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const key = 'S3RVER'; // the only one that it knows
  return {
    access: {
      bucket: BUCKET,
      prefix: 'a/prefix/',
      endpoint,
      region: 'us-east-1',
      accessKeyId: key,
      secretAccessKey: key,
    },
    /** The same as settings of a service. */
    settings: {
      BARLINE_OBJECTS: `s3://${BUCKET}/a/prefix`,
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_ACCESS_KEY_ID: key,
      AWS_SECRET_ACCESS_KEY: key,
    },
    /** How often each fault struck. */
    seen,
    requests,
    /** Strikes the next request. */
    strike(fault: Fault): void {
      forced = fault;
    },
    faultShare(now: number): void {
      share = now;
    },
    async stop(): Promise<void> {
      proxy.closeAllConnections();
      proxy.close();
      await store.close();
    },
  };
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'Content-Type': 'application/xml', Connection: 'close' });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
}
