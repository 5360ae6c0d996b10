import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mock, test } from 'node:test';
import { createApp, type RequestRecord } from '../../http/app.js';
import type { RpcClient } from '../../rpc/index.js';
import { anyStreams } from '../support/api.js';
import { root } from '../support/tree.js';

/** Answers that end in the middle. */

const piece = {
  arrow: Buffer.alloc(256 * 1024),
  row_count: 1,
  total_bytes_billed: 1,
  cost_estimate_usd: 1,
  next_page_token: null,
};

/**
 * Requests the Arrow stream that `parts` yields, and passes the response to `use`. Returns the log
 * entry of the request.
 */
async function recordOf(
  parts: (signal: AbortSignal) => AsyncIterable<object>,
  use: (pending: Promise<Response>, leave: () => void) => Promise<void>,
): Promise<RequestRecord> {
  const records = new EventEmitter();
  const rpc = { stream: (_: string, _request: object, { signal }: { signal: AbortSignal }) => parts(signal) };
  const app = createApp(
    {
      rpc: rpc as unknown as RpcClient,
      version: 'test',
      packageRoot: root,
      streams: anyStreams,
      corsOrigin: '*',
      record: (record) => records.emit('record', record),
      metrics: async () => '',
    },
    new AbortController().signal,
  );
  const server = createServer(app).listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const printed = mock.method(console, 'error', () => {});
  const recorded = once(records, 'record');
  const leaving = new AbortController();
  try {
    const { port } = server.address() as AddressInfo;
    const pending = fetch(`http://127.0.0.1:${port}/api/v1/oracle/data/query`, {
      method: 'POST',
      headers: { Accept: 'application/vnd.apache.arrow.stream' },
      signal: leaving.signal,
    });
    await use(pending, () => leaving.abort());
    const [record] = (await recorded) as [RequestRecord];
    assert.equal(printed.mock.callCount(), 0);
    return record;
  } finally {
    printed.mock.restore();
    server.closeAllConnections();
    server.close();
  }
}

test('a stream that fails after its first part is cut off, and logged with the reason', async () => {
  const bug = new Error('a bug of ours');
  const { status, route, error } = await recordOf(
    async function* () {
      yield piece;
      throw bug;
    },
    async (pending) => {
      await assert.rejects((await pending).arrayBuffer());
    },
  );
  assert.deepEqual([status, route, error], [200, '/api/v1/oracle/data/query', bug]);
});

test('a download that its reader abandons is logged, but not as a failure of ours', async () => {
  const { status, error } = await recordOf(
    async function* () {
      for (;;) yield piece;
    },
    async (pending, leave) => {
      await (await pending).body?.getReader().read();
      leave();
    },
  );
  assert.deepEqual([status, error], [200, undefined]);
});

test('a request whose client does not wait for the answer is logged as such', async () => {
  let begun = (): void => {};
  const beginning = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const { status, error } = await recordOf(
    // biome-ignore lint/correctness/useYield: it fails before its first part
    async function* (signal) {
      begun();
      await once(signal, 'abort');
      throw signal.reason;
    },
    async (pending, leave) => {
      await beginning;
      leave();
      await assert.rejects(pending);
    },
  );
  assert.deepEqual([status, error], [499, undefined]);
});
