import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { endTracing, loadTracing, outgoing, traced } from '../../../data/tracing/index.js';
import { receive } from '../../../data/upstreams/receive.js';
import { startTraces } from '../../../server/traces.js';
import { runBody } from '../../support/backtests.js';
import { startTestService } from '../../support/service.js';

test('without the packages nothing is traced, and a service that is asked to names them', async () => {
  assert.equal(await traced({ name: 'nothing' }, async () => 5), 5);
  assert.deepEqual(outgoing(), {});
  await assert.rejects(startTraces(), {
    code: 'MISSING_FIELD',
    message: /npm install .*@opentelemetry\/exporter-trace-otlp-http/,
  });
});

test('a request, its call, its backtest and a call to a provider are spans of one trace', async () => {
  const exporter = new InMemorySpanExporter();
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
  assert.ok(await loadTracing());
  const service = await startTestService({ BARLINE_TRACES: 'off' });
  try {
    const { token } = await service.login();
    exporter.reset();
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
    const spans = await untilEnded(exporter, 'POST /api/v1/backtests');
    const ofTrace = spans.filter((span) => span.spanContext().traceId === traceId);
    const named = (name: RegExp) => ofTrace.find((span) => name.test(span.name));
    const [request, call, backtest] = [named(/^POST/), named(/^Backtests\.Run$/), named(/^backtest$/)];
    assert.equal(request?.parentSpanContext?.spanId, 'b7ad6b7169203331');
    assert.equal(call?.parentSpanContext?.spanId, request?.spanContext().spanId);
    assert.equal(backtest?.parentSpanContext?.spanId, call?.spanContext().spanId);
    assert.equal(request?.attributes['http.response.status_code'], response.status);
    const refused = await fetch(`${service.origin}/api/v1/strategies/none`, {
      headers: { Authorization: 'Bearer no' },
    });
    assert.equal(refused.status, 401);
    const all = await untilEnded(exporter, 'GET /api/v1/strategies/:strategy_id');
    assert.ok(!JSON.stringify(all.map(({ name, attributes, status }) => [name, attributes, status])).includes(token));

    const provider = createServer((_, answer) => answer.end('{}')).listen(0, '127.0.0.1');
    await new Promise((resolve) => provider.once('listening', resolve));
    const url = new URL(`http://127.0.0.1:${(provider.address() as AddressInfo).port}/secret-path`);
    const rules = { provider: 'alpha', absentStatuses: [], bytesMax: 100, signal: AbortSignal.timeout(5_000) };
    await traced({ name: 'asking' }, () => receive({ url, headers: {} }, rules));
    provider.close();
    const asked = exporter.getFinishedSpans().find(({ name }) => name === 'upstream alpha');
    const asking = exporter.getFinishedSpans().find(({ name }) => name === 'asking');
    assert.equal(asked?.parentSpanContext?.spanId, asking?.spanContext().spanId);
    assert.ok(!JSON.stringify(asked?.attributes).includes('secret-path'), 'an address may hold a key');
  } finally {
    await service.stop();
    endTracing();
  }
});

/** The spans so far, once one of this name has ended: that of a request ends after its answer. */
async function untilEnded(exporter: InMemorySpanExporter, name: string): Promise<ReadableSpan[]> {
  for (;;) {
    const spans = exporter.getFinishedSpans();
    if (spans.some((span) => span.name === name)) return spans;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
