import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { tableFromIPC } from 'apache-arrow';
import type { UnaryName } from '../../../rpc/index.js';
import { type Api, grpcApi } from '../../support/api.js';
import { contract, sharedService } from '../../support/contract.js';
import { crossSweep } from '../../support/sweeps.js';

/** 12 runs on a bundled market, completed. */
async function completedExperiment(api: Api): Promise<string> {
  const must = async (method: UnaryName, request: object) => {
    const { code, message, body } = await api.call(method, request);
    assert.equal(code, 'OK', `${method}: ${message}`);
    return body;
  };
  const { datasets } = await must('Catalogue.ListDatasets', {});
  const dataset = datasets.find((one: Record<string, string>) => one.asset === 'ETH' && one.timeframe === '1d');
  const config = crossSweep({ datasets: [dataset] });
  const { experiment_id } = await must('Experiments.Create', { config });
  assert.equal((await must('Experiments.Validate', { experiment_id })).valid, true);
  await must('Experiments.Launch', { experiment_id });
  for (;;) {
    const { status } = await must('Experiments.Get', { experiment_id });
    if (status === 'completed') return experiment_id;
    assert.ok(['queued', 'running'].includes(status), status);
    await delay(50);
  }
}

const bars = {
  table: 'ohlcv',
  select: ['asset', 'timeframe', 'timestamp', 'close'],
  filters: [
    { col: 'asset', op: '=', value: 'BTC' },
    { col: 'timeframe', op: '=', value: '1d' },
    { col: 'timestamp', op: 'between', value: ['2024-01-01', '2024-01-31'] },
  ],
  order_by: [{ col: 'timestamp', dir: 'asc' }],
};

contract('result rows of an experiment exist once it is done, for its organization only', async ({ api, other }) => {
  const empty = await api.call('Corpus.ListResults', {});
  assert.deepEqual(empty.body, { total: 0, offset: 0, limit: 100, results: [], warnings: [] });
  const experimentId = await completedExperiment(api);
  const query = { table: 'results', select: ['run_index', 'asset', 'sharpe_ratio', 'win_rate', 'exit_json'] };
  const { body } = await api.call('Corpus.Query', query);
  assert.deepEqual([body.row_count, body.total_bytes_billed, body.next_page_token], [12, 10_485_760, null]);
  const { body: listed } = await api.call('Corpus.ListResults', { experiment_id: experimentId, limit: 3, offset: 1 });
  assert.deepEqual([listed.total, listed.results.length], [12, 3]);
  const asked = { ...query, filters: [{ col: 'experiment_id', op: '=', value: experimentId }] };
  assert.deepEqual((await other.call('Corpus.Query', asked)).body.rows, []);
  assert.deepEqual((await other.call('Corpus.ListResults', {})).body.results, []);
  const { body: unknown } = await other.call('Corpus.ListResults', { experiment_id: experimentId });
  const warnings = [`experiment_id: there is no experiment "${experimentId}", so it has no rows`];
  assert.deepEqual(unknown, { total: 0, offset: 0, limit: 100, results: [], warnings });
});

contract('time frames and assets are compared by meaning, not by spelling', async ({ api }) => {
  const [asset, timeframe, time] = bars.filters;
  const of = async (...filters: object[]) => (await api.call('Corpus.Query', { ...bars, filters })).body;
  const { rows, total_bytes_billed } = await of(asset!, timeframe!, time!);
  for (const [name, days] of [
    ['BTC-USD', '1D'],
    ['btc/usdt', '1DAY'],
  ]) {
    const other = await of({ ...asset, value: name }, { ...timeframe, op: 'in', value: [days, '1 day'] }, time!);
    assert.deepEqual([other.rows, other.total_bytes_billed], [rows, total_bytes_billed]);
  }
  const coarser = await of({ ...asset, value: 'BTC-USDT' }, { ...timeframe, op: '!=', value: '1D' }, time!);
  assert.ok(coarser.row_count > 0 && coarser.rows.every((row: Record<string, string>) => row.timeframe !== '1d'));
  assert.equal((await of({ ...timeframe, value: '1 day' })).row_count, 0);
});

test('an unknown parameter of the list of results is refused, not ignored', async () => {
  const service = await sharedService();
  const { token } = await service.login();
  const response = await fetch(`${service.origin}/api/v1/oracle/results?min_sortino=1`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const body = (await response.json()) as { code: string; message: string };
  assert.deepEqual([response.status, body.code], [400, 'INVALID_FIELD']);
  assert.match(body.message, /min_sortino/);
});

const ARROW = 'application/vnd.apache.arrow.stream';

test('the same page comes as an Arrow stream over gRPC and REST', async () => {
  const service = await sharedService();
  const { token } = await service.login();
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const request = {
    ...bars,
    filters: bars.filters.slice(0, 1),
    select: [...bars.select, 'open', 'high', 'low', 'volume', 'file'],
  };
  const wide = { ...request, limit: 1_000 };
  const { body } = await grpcApi(service.client, token).call('Corpus.Query', wide);
  const pieces: Record<string, unknown>[] = [];
  for await (const piece of service.client.stream('Corpus.QueryColumns', wide, {
    authorization: headers.Authorization,
  })) {
    pieces.push(piece);
  }
  const [first] = pieces;
  assert.equal(first?.row_count, 1_000);
  assert.equal(first?.total_bytes_billed, body.total_bytes_billed);
  const bytes = Buffer.concat(pieces.map(({ arrow }) => arrow as Buffer));
  const response = await fetch(`${service.origin}/api/v1/oracle/data/query`, {
    method: 'POST',
    headers: { ...headers, Accept: ARROW },
    body: JSON.stringify(wide),
  });
  assert.equal(response.headers.get('Content-Type'), ARROW);
  assert.equal(response.headers.get('X-Row-Count'), '1000');
  assert.equal(response.headers.get('X-Billed-Units'), '1');
  assert.equal(response.headers.get('X-Total-Bytes-Billed'), String(body.total_bytes_billed));
  assert.equal(response.headers.get('X-Next-Page-Token'), first?.next_page_token);
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), bytes);
  const table = tableFromIPC(bytes);
  assert.deepEqual(
    Array.from(table.getChild('close') ?? []),
    body.rows.map(({ close }: { close: number }) => close),
  );
  assert.deepEqual(
    Array.from(table.getChild('timestamp') ?? [], Number),
    body.rows.map(({ timestamp }: { timestamp: string }) => Date.parse(timestamp)),
  );
});

test('a refused stream is refused in JSON, and a reader that accepts any type gets JSON', async () => {
  const service = await sharedService();
  const { token } = await service.login();
  const ask = (accept: string, body: object, bearer = token) =>
    fetch(`${service.origin}/api/v1/oracle/data/query`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${bearer}`, Accept: accept },
      body: JSON.stringify(body),
    });
  const refused = await ask(ARROW, { ...bars, select: ['x'] });
  assert.equal(refused.headers.get('X-Billed-Units'), null);
  assert.deepEqual([refused.status, ((await refused.json()) as { code: string }).code], [400, 'INVALID_FIELD']);
  assert.equal((await ask(ARROW, bars, 'local_nobody')).status, 401);
  for (const accept of ['*/*', 'text/html', `application/json, ${ARROW}`]) {
    assert.match((await ask(accept, bars)).headers.get('Content-Type') ?? '', /^application\/json/);
  }
});

contract('a query of bars without rows names the bars held of what it asked for', async ({ api }) => {
  const held = async (...filters: object[]) => {
    const { body } = await api.call('Corpus.Query', { ...bars, filters });
    return [body.row_count, body.held];
  };
  const [asset, timeframe, january] = bars.filters;
  const later = { col: 'timestamp', op: '>', value: '2031-01-01' };
  const daily = { asset: 'BTC', timeframe: '1d', start: '2020-09-20T00:00:00Z', end: '2025-09-19T00:00:00Z' };
  assert.deepEqual(await held(asset!, timeframe!, later), [0, [daily]]);
  assert.deepEqual(await held(asset!, timeframe!, january!), [31, []]);
  const [, all] = await held({ col: 'asset', op: '=', value: 'NONE' });
  assert.ok(all.length > 4);
});
