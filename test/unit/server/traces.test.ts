import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import test from 'node:test';
import { endTracing, outgoing, traced } from '../../../data/tracing/index.js';
import { receive } from '../../../data/upstreams/receive.js';
import { startTraces } from '../../../server/traces.js';
import { runBody } from '../../support/backtests.js';
import { startTestService } from '../../support/service.js';

test('without the packages nothing is traced, and a service that is asked to names them', async () => {
  assert.equal(await traced({ name: 'nothing' }, async () => 5), 5);
  assert.deepEqual(outgoing(), {});
  const missing = () => Promise.reject(new Error('Cannot find package'));
  await assert.rejects(startTraces('1.2.3', missing), {
    code: 'MISSING_FIELD',
    message: /npm install .*@opentelemetry\/exporter-trace-otlp-http/,
  });
});

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly intValue?: number } }[];
  readonly status: object;
}

/** A collector that takes spans by OTLP over HTTP. */
async function startCollector() {
  const spans: SentSpan[] = [];
  const services = new Set<string>();
  const server = createServer(async (request, response) => {
    assert.equal(request.url, '/v1/traces');
    const { resourceSpans } = (await json(request)) as Sent;
    for (const { resource, scopeSpans } of resourceSpans) {
      services.add(resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '');
      spans.push(...scopeSpans.flatMap((scope) => scope.spans));
    }
    response.setHeader('Content-Type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { spans, services, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { key: string; value: { stringValue?: string } }[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

test('a collector receives a request, its call, its backtest and a call to a provider as one trace', async () => {
  const { spans, services, server, url: collector } = await startCollector();
  Object.assign(process.env, { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_BSP_SCHEDULE_DELAY: '20' });
  const endTraces = await startTraces('1.2.3');
  const service = await startTestService();
  try {
    const { token } = await service.login();
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const response = await fetch(`${service.origin}/api/v1/backtests`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        traceparent: `00-${traceId}-b7ad6b7169203331-01`,
      },
      body: JSON.stringify(runBody),
    });
    assert.ok(response.ok, await response.text());
    await untilReceived(spans, 'POST /api/v1/backtests');
    const ofTrace = spans.filter((span) => span.traceId === traceId);
    const named = (name: RegExp) => ofTrace.find((span) => name.test(span.name));
    const [request, call, backtest] = [named(/^POST/), named(/^Backtests\.Run$/), named(/^backtest$/)];
    assert.equal(request?.parentSpanId, 'b7ad6b7169203331');
    assert.equal(call?.parentSpanId, request?.spanId);
    assert.equal(backtest?.parentSpanId, call?.spanId);
    const status = request?.attributes.find(({ key }) => key === 'http.response.status_code');
    assert.equal(status?.value.intValue, response.status);
    const refused = await fetch(`${service.origin}/api/v1/strategies/none`, {
      headers: { Authorization: 'Bearer no' },
    });
    assert.equal(refused.status, 401);
    await untilReceived(spans, 'GET /api/v1/strategies/:strategy_id');
    assert.ok(!JSON.stringify(spans).includes(token));

    const provider = createServer((_, answer) => answer.end('{}')).listen(0, '127.0.0.1');
    await new Promise((resolve) => provider.once('listening', resolve));
    const url = new URL(`http://127.0.0.1:${(provider.address() as AddressInfo).port}/secret-path`);
    const rules = { provider: 'alpha', absentStatuses: [], bytesMax: 100, signal: AbortSignal.timeout(5_000) };
    await traced({ name: 'asking' }, () => receive({ url, headers: {} }, rules));
    provider.close();
    await endTraces(); // sends the last spans
    const sent = (wanted: string) => spans.find(({ name }) => name === wanted);
    const asked = sent('upstream alpha');
    assert.equal(asked?.parentSpanId, sent('asking')?.spanId ?? assert.fail());
    assert.deepEqual([...services], ['barline']);
    assert.ok(!JSON.stringify(asked?.attributes).includes('secret-path'), 'an address may hold a key');
  } finally {
    await service.stop();
    endTracing();
    delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
    delete process.env.OTEL_BSP_SCHEDULE_DELAY;
    server.close();
  }
});

/** Waits for a span: that of a request ends after its answer. */
async function untilReceived(spans: readonly SentSpan[], wanted: string): Promise<void> {
  while (!spans.some(({ name }) => name === wanted)) await new Promise((resolve) => setTimeout(resolve, 5));
}
