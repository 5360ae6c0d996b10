import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { corpusSchemas } from '../../../../data/corpus/columns.js';
import { CorpusReader, TextWidths } from '../../../../data/corpus/index.js';
import { ApiError } from '../../../../service/api-error.js';
import { partFiles } from '../../../../service/corpus/capability.js';
import { Corpus, type CorpusDeps } from '../../../../service/corpus/corpus.js';
import { bytesBilled, type CorpusQueryRequest, costUsd } from '../../../../service/corpus/request.js';
import { openTestCorpus } from '../../../support/corpus.js';

let world: Awaited<ReturnType<typeof openTestCorpus>>;
before(async () => {
  world = await openTestCorpus();
});
after(() => world.close());

const query: CorpusQueryRequest = {
  table: 'results',
  select: ['experiment_id', 'run_index', 'sharpe_ratio'],
  filters: [{ col: 'reward_factor', op: '=', value: 2 }],
  order_by: [{ col: 'sharpe_ratio' }],
  limit: 40,
};
const ask = (request: CorpusQueryRequest, caller = world.us) => world.corpus.query(caller, request);
const tokenOf = async () => (await ask(query)).next_page_token ?? assert.fail('there is a next page');

async function assertRefused(request: CorpusQueryRequest, caller = world.us): Promise<void> {
  await assert.rejects(ask(request, caller), (error) => error instanceof ApiError && error.code === 'INVALID_FIELD');
}

test('a token continues its own query and no other', async () => {
  const page_token = await tokenOf();
  assert.equal((await ask({ ...query, page_token })).row_count, 40);
  for (const change of [
    { select: ['run_index', 'experiment_id', 'sharpe_ratio'] },
    { filters: [{ col: 'reward_factor', op: '=', value: 3 }] },
    { filters: [] },
    { order_by: [{ col: 'sharpe_ratio', dir: 'asc' }] },
    { order_by: [] },
    { limit: 41 },
  ]) {
    await assertRefused({ ...query, page_token, ...change });
  }
  const bars = { table: 'ohlcv', select: ['asset'], limit: 40 };
  await assertRefused({ ...bars, page_token });
  assert.equal((await ask({ ...query, order_by: [{ col: 'sharpe_ratio', dir: 'desc' }], page_token })).row_count, 40);
});

test('a token of another organization is refused', async () => {
  await assertRefused({ ...query, page_token: await tokenOf() }, world.them);
});

test('a token with any character changed, added or missing is refused', async () => {
  const token = await tokenOf();
  for (let at = 0; at < token.length; at++) {
    const other = token[at] === 'A' ? 'B' : 'A';
    await assertRefused({ ...query, page_token: `${token.slice(0, at)}${other}${token.slice(at + 1)}` });
  }
  const [content = '', signature = ''] = token.split('.');
  const forged = Buffer.from(JSON.stringify(['x', [0]])).toString('base64url');
  for (const page_token of [
    ...['', '.', '..', 'x', token.slice(1), token.slice(0, -1), `${token}=`, `${token}.`, `${token} `, ` ${token}`],
    ...[content, `.${signature}`, `${signature}.${content}`, `${forged}.${signature}`, `${token}${token}`],
  ]) {
    await assertRefused({ ...query, page_token });
  }
});

test('rows added between two pages change no page before or after them', async () => {
  const readAll = async (between: () => Promise<void>) => {
    const first = await ask(query);
    await between();
    const rows = [...first.rows];
    for (let token = first.next_page_token; token !== null; ) {
      const page = await ask({ ...query, page_token: token });
      rows.push(...page.rows);
      token = page.next_page_token;
    }
    return rows.map((row) => `${row.experiment_id}:${row.run_index}`);
  };
  const before = await readAll(async () => {});
  const during = await readAll(() => world.add('exp_new'));
  assert.equal(new Set(during).size, during.length);
  assert.deepEqual(
    during.filter((id) => !id.startsWith('exp_new')),
    before,
  );
  assert.ok(during.some((id) => id.startsWith('exp_new')));
});

const corpusOver = (changes: Partial<CorpusDeps>) =>
  new Corpus({
    hasExperiment: async () => true,
    listParts: (orgId, ids) => partFiles(world.db, world.folder, orgId, ids),
    listBars: () => world.bars.list(),
    engine: world.engine,
    reader: new CorpusReader(),
    widths: new TextWidths(),
    secret: 's',
    bytesMax: 1e9,
    ...changes,
  });

/** The first answer names files that no longer exist. */
function movedOnce<File extends { readonly path: string }>(files: readonly File[]) {
  let asked = 0;
  const gone = files.map((file) => ({ ...file, path: `${file.path}.gone.parquet` }));
  return { list: async () => (asked++ === 0 ? gone : files), asked: () => asked };
}

test('a file that was joined with others during the read is looked up again', async () => {
  const moved = movedOnce(await partFiles(world.db, world.folder, world.us.orgId, ['exp_a']));
  assert.equal((await corpusOver({ listParts: moved.list }).listResults(world.us, {})).total, 96);
  assert.equal(moved.asked(), 2);
});

const column = (name: string) => corpusSchemas.results.columns.get(name) ?? assert.fail(name);
const MIB = 1_048_576;

test('billed bytes are those of the named columns over the searched rows, in whole MiB, at least ten', () => {
  const numbers = ['sharpe_ratio', 'run_index', 'start_date', 'completed_at'].map(column);
  assert.equal(bytesBilled(numbers, 1, new Map()), 10 * MIB);
  assert.equal(bytesBilled(numbers, 10 * MIB, new Map()), 320 * MIB);
  assert.equal(bytesBilled(numbers, 10 * MIB + 1, new Map()), 321 * MIB);
  assert.equal(bytesBilled([column('enable_volatility_adj')], 20 * MIB, new Map()), 20 * MIB);
  assert.equal(bytesBilled([column('asset')], 20 * MIB, new Map([['asset', 3]])), 100 * MIB);
  assert.equal(costUsd(10 * MIB), 0.000059604644775390625);
});

test('bars are billed by the files that asset and timeframe leave, and by every named column', async () => {
  const held = await world.bars.list();
  const bill = async (request: object) =>
    (await ask({ table: 'ohlcv', select: ['close'], limit: 1, ...request })).total_bytes_billed;
  const mib = (bytes: number) => Math.max(10, Math.ceil(bytes / MIB)) * MIB;
  const rowsIf = (isMeant: (entry: (typeof held)[number]) => boolean) =>
    held.filter(isMeant).reduce((sum, { bars }) => sum + bars, 0);
  const prices = ['close', 'open', 'high', 'low', 'volume', 'timestamp'];
  const all = rowsIf(() => true);
  assert.ok(all * 48 > 10 * MIB);
  assert.equal(await bill({ select: prices }), mib(48 * all));
  const hours = { col: 'timeframe', op: '=', value: '1h' };
  const texts = rowsIf(({ interval }) => interval === '1h') * 4;
  const bitcoin = rowsIf(({ interval, asset }) => interval === '1h' && asset === 'BTC');
  assert.equal(
    await bill({ select: prices, filters: [hours] }),
    mib(48 * rowsIf(({ interval }) => interval === '1h') + texts),
  );
  const filters = [hours, { col: 'asset', op: 'in', value: ['BTC', 'DOGE'] }];
  assert.equal(await bill({ select: prices, filters }), mib((48 + 4 + 5) * bitcoin));
  const ordered = { select: ['close'], order_by: prices.slice(1).map((col) => ({ col })) };
  assert.equal(await bill(ordered), mib(48 * all));
  assert.equal(await bill({ filters: [{ col: 'asset', op: '=', value: 'DOGE' }] }), 10 * MIB);
});

test('a query that would read more than the limit is refused before it runs', async () => {
  const corpus = corpusOver({ bytesMax: 10 * MIB });
  const { total_bytes_billed } = await corpus.query(world.us, query);
  assert.equal(total_bytes_billed, 10 * MIB);
  const select = ['close', 'open', 'high', 'low', 'volume', 'timestamp', 'file', 'asset'];
  await assert.rejects(corpus.query(world.us, { table: 'ohlcv', select }), (error) => {
    assert.ok(error instanceof ApiError && error.code === 'BYTES_LIMIT_EXCEEDED');
    assert.match(error.message, new RegExp(`would read \\d+ bytes, the limit is ${10 * MIB}`));
    return true;
  });
});
