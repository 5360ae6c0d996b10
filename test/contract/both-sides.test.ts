import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { runBacktest, type Strategy } from '../../library/index.js';
import { asRest, grpcApi, restApi } from '../support/api.js';
import { runCliBatch } from '../support/cli.js';
import { connect } from '../support/mcp.js';
import { startTestService, type TestService } from '../support/service.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { root } from '../support/tree.js';

/** Two strategies as freqtrade users write them, by every way in: one result. */

const home = temporaryFolder('both-sides-ways');
let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

type Json = Readonly<Record<string, unknown>>;

/** Ids of trades derive from the run; a level that is missing is null to some and absent to others. */
const figures = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, one) =>
      one === null || key === 'trade_id' || key === 'position_id' || key === 'benchmark_btc_return' ? undefined : one,
    ),
  );

for (const file of ['examples/freqtrade/ema-cross.json', 'examples/freqtrade/bollinger-both-sides.json']) {
  test(`${file} is one run over command line, library, REST, gRPC and tools`, async () => {
    const text = await readFile(join(root, file), 'utf8');
    const strategy = JSON.parse(text) as Strategy;
    const place = { interval: '1h', start: '2023-01-01', end: '2023-12-31' };
    const { result } = await runBacktest({ strategy, ...place, home });
    const args = ['--strategy', file, '--interval', '1h', '--start', place.start, '--end', place.end];
    const [printed] = await runCliBatch([['backtest', ...args, '--json']], { home });
    const told = JSON.parse(printed?.stdout ?? '') as typeof result;
    const expected = {
      metrics: figures(result.metrics),
      trades: figures(result.trades),
      side_metrics: figures(result.side_metrics),
    };
    const same = ({ metrics, trades, side_metrics }: Json, way: string) => {
      const got = { metrics: figures(metrics), trades: figures(trades), side_metrics: figures(side_metrics) };
      assert.deepEqual(got, expected, way);
    };
    same(told as unknown as Json, 'command line');
    assert.ok(result.trade_count > 10);

    const { token } = await service.login();
    const body = { strategy_json: text, interval: '1h', start_date: place.start, end_date: place.end };
    const asked = { ...body, asset: strategy.asset };
    const rest = await restApi(service.origin, token).call('Batch.Run', asked);
    assert.equal(rest.code, 'OK', rest.message ?? '');
    same({ ...rest.body, trades: rest.body.trade_history }, 'REST');
    assert.deepEqual(rest.body.warnings, result.warnings);
    assert.deepEqual(figures(rest.body.diagnostics), figures(result.diagnostics));
    const grpc = await grpcApi(service.client, token).call('Batch.Run', asked);
    const shown = asRest('Batch.Run', grpc).body;
    same({ ...shown, trades: shown.trade_history }, 'gRPC');
    assert.deepEqual(Object.keys(shown.trade_history[0]), Object.keys(rest.body.trade_history[0]));

    const client = await connect('http', service, token);
    try {
      const { structuredContent, isError } = await client.callTool({ name: 'backtests_run', arguments: body });
      assert.notEqual(isError, true, JSON.stringify(structuredContent));
      const answer = structuredContent as Json;
      same({ ...answer, trades: answer.trade_history }, 'a tool');
    } finally {
      await client.close();
    }
  });
}
