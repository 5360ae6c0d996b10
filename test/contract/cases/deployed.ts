import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { readDeployedSet } from '../../../service/deployed/definition.js';
import { contract, sharedService } from '../../support/contract.js';
import { openStream } from '../../support/sse.js';
import { root } from '../../support/tree.js';

const bundled = readDeployedSet(JSON.parse(readFileSync(join(root, 'sample/deployed.json'), 'utf8')));
const ids = [...bundled.strategies.keys()];

contract('an unknown deployed strategy is not found, and path segments are not ids', async ({ api }) => {
  for (const strategy_id of ['nobody', 'strategies']) {
    for (const method of ['Deployed.GetState', 'Deployed.ListEvents'] as const) {
      const { code, message } = await api.call(method, { strategy_id });
      assert.deepEqual([code, message], ['RESOURCE_NOT_FOUND', `deployed strategy ${strategy_id} not found`]);
    }
  }
});

test('a stream is ready at once, over gRPC and as server-sent events', async () => {
  const service = await sharedService();
  const { token } = await service.login();
  const authorization = `Bearer ${token}`;
  for await (const part of service.client.stream('Deployed.Stream', {}, { authorization, deadlineMs: null })) {
    assert.equal((part.ready as { strategies: number }).strategies, ids.length);
    assert.equal((part.ready as { newest_id: number }).newest_id, 0);
    assert.deepEqual(part.events, []);
    break;
  }
  const untilNow = service.client.stream('Deployed.Stream', { until_now: true }, { authorization });
  assert.deepEqual([(await untilNow.next()).done, (await untilNow.next()).done], [false, true], 'it ends by itself');
  const stream = await openStream(`${service.origin}/api/v1/oracle/deployed/stream?strategy_id=${ids[0]}`, token);
  assert.equal(stream.status, 200);
  assert.equal(stream.headers['content-type'], 'text/event-stream; charset=utf-8');
  assert.equal(stream.headers['cache-control'], 'no-cache');
  assert.equal(stream.headers['x-accel-buffering'], 'no');
  assert.equal(stream.headers['content-length'], undefined);
  const ready = await stream.next();
  assert.deepEqual([ready.event, ready.id, ready.data.strategies, ready.retry], ['ready', null, 1, '5000']);
  assert.deepEqual(Object.keys(ready.data), ['strategies', 'timestamp']);
  stream.close();
});

test('each reader of a stream is admitted by its own credential and gets the fields it asked for', async () => {
  const service = await sharedService();
  const { token } = await service.login();
  const url = `${service.origin}/api/v1/oracle/deployed/stream`;
  const first = await openStream(url, token);
  const read = async (headers: Record<string, string>) => {
    const response = await fetch(url, { headers });
    const reader = response.body!.getReader();
    const { value } = await reader.read();
    await reader.cancel();
    return { status: response.status, text: Buffer.from(value!).toString() };
  };
  const Authorization = `Bearer ${token}`;
  assert.equal((await read({ Authorization: 'Bearer nonsense' })).status, 401);
  const masked = await read({ Authorization, 'X-Fields': 'strategies' });
  assert.equal(masked.text, `event: ready\ndata: {"strategies":${ids.length}}\nretry: 5000\n\n`);
  assert.match(
    (await read({ Authorization })).text,
    /^event: ready\ndata: {"strategies":\d+,"timestamp":"[^"]+"}\nretry/,
  );
  const head = await fetch(url, { method: 'HEAD', headers: { Authorization } });
  assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'text/event-stream; charset=utf-8']);
  first.close();
});

test('a stream that cannot open is refused like any other request, over gRPC and REST', async () => {
  const service = await sharedService();
  const { token } = await service.login();
  const refusals: readonly [query: Record<string, string>, token: string | null, status: number, code: string][] = [
    [{}, null, 401, 'AUTH_REQUIRED'],
    [{ last_event_id: 'x' }, null, 401, 'AUTH_REQUIRED'],
    [{ strategy_id: 'nobody' }, token, 404, 'RESOURCE_NOT_FOUND'],
    [{ last_event_id: '-1' }, token, 400, 'INVALID_FIELD'],
    [{ last_event_id: 'x' }, token, 400, 'INVALID_FIELD'],
  ];
  for (const [query, bearer, status, code] of refusals) {
    const url = `${service.origin}/api/v1/oracle/deployed/stream?${new URLSearchParams(query)}`;
    const response = await fetch(url, { headers: bearer === null ? {} : { Authorization: `Bearer ${bearer}` } });
    const body = (await response.json()) as { code: string };
    assert.deepEqual([response.status, body.code], [status, code], JSON.stringify(query));
    if (query.last_event_id === 'x') continue; // only REST can write that
    const request = { ...query, ...(query.last_event_id && { last_event_id: Number(query.last_event_id) }) };
    const options = bearer === null ? {} : { authorization: `Bearer ${bearer}` };
    await assert.rejects(service.client.stream('Deployed.Stream', request, options).next(), { code });
  }
  const headers = { Authorization: `Bearer ${token}`, 'Last-Event-ID': 'x' };
  const response = await fetch(`${service.origin}/api/v1/oracle/deployed/stream?last_event_id=3`, { headers });
  assert.equal(response.status, 400, 'the header is the newer one');
});
