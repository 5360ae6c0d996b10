import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { executionFieldNames, fieldOf, settingColumns } from '../../../../engine/execution/index.js';
import { ApiError } from '../../../../service/api-error.js';
import type { CorpusQueryRequest } from '../../../../service/corpus/request.js';
import type { ListResultsRequest } from '../../../../service/corpus/results.js';
import { resultColumns } from '../../../../workers/index.js';
import { openTestCorpus } from '../../../support/corpus.js';

let world: Awaited<ReturnType<typeof openTestCorpus>>;
before(async () => {
  world = await openTestCorpus();
});
after(() => world.close());

const results = (more: object): CorpusQueryRequest => ({ table: 'results', select: ['run_index'], ...more });
const ask = (request: object, caller = world.us) => world.corpus.query(caller, request as CorpusQueryRequest);
const list = (request: object) => world.corpus.listResults(world.us, request as ListResultsRequest);
const where = (col: string, op: string, value: unknown) => results({ filters: [{ col, op, value }] });

async function refusalOf(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => assert.fail('it is not refused'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ApiError, String((error as Error).stack));
  return error;
}

const many = (count: number, item: unknown) => Array.from({ length: count }, () => item);

const refused: readonly [what: string, request: object, message: RegExp][] = [
  ['another table', { table: 'users', select: ['id'] }, /^table must be one of results, ohlcv, was "users"/],
  ['SQL', results({ sql: 'select 1' }), /^sql is not accepted/],
  ['a column twice', results({ select: ['asset', 'run_index', 'asset'] }), /has asset twice/],
  ['the organization', results({ select: ['org_id'] }), /^select\[0\] must be a column of the table, was "org_id"/],
  ['a place of a file', results({ select: ['filename'] }), /^select\[0\] must be a column/],
  ['SQL as a column', results({ select: ['run_index" FROM x --'] }), /^select\[0\] must be a column/],
  ['an unknown column in a filter', where('org_id', '=', 'x'), /^filters\[0\]\.col must be a column/],
  ['an operator with SQL', where('asset', '= 1 OR 1 =', 1), /^filters\[0\]\.op must be one of/],
  ['text for a number', where('sharpe_ratio', '>', '1'), /^filters\[0\]\.value must be a number, was "1"/],
  ['an order of truths', where('enable_volatility_adj', '>', true), /must be =, != or in for enable_volatility_adj/],
  ['a date that is none', where('start_date', '=', '2024-02-30'), /must be a date such as 2024-01-31/],
  ['null in a list', where('sharpe_ratio', 'in', [1, null]), /^filters\[0\]\.value\[1\] must be a number/],
  ['1001 values', where('run_index', 'in', many(1_001, 1)), /at most 1000 entries/],
  ['between three', where('run_index', 'between', [1, 2, 3]), /exactly 2 values/],
  ['another direction', results({ order_by: [{ col: 'asset', dir: 'ASC; DROP' }] }), /^order_by\[0\]\.dir must be asc/],
];

test('a query is refused with the place and the value of what it may not have', async () => {
  for (const [what, request, message] of refused) {
    const { code, message: text } = await refusalOf(ask(request));
    assert.equal(code, 'INVALID_FIELD', what);
    assert.match(text, message, what);
  }
});

const count = async (request: object) => (await ask({ ...request, limit: 1_000 })).row_count;

test('a row without a value meets no condition except = with null', async () => {
  const [all, without] = [await count(results({})), await count(where('benchmark_btc_return', '=', null))];
  const withOne = await count(where('benchmark_btc_return', '!=', null));
  assert.ok(without > 0 && withOne > 0);
  assert.equal(without + withOne, all);
  assert.equal(await count(where('benchmark_btc_return', '!=', -1)), withOne);
  assert.equal(
    (await count(where('benchmark_btc_return', '<', 0))) + (await count(where('benchmark_btc_return', '>=', 0))),
    withOne,
  );
});

test('rates are in percent in rows, filters and orders, to the last bit', async () => {
  const select = ['run_index', 'experiment_id', 'win_rate', 'max_drawdown', 'benchmark_btc_return', 'irr_daily'];
  const { rows } = await ask({ table: 'results', select, order_by: [{ col: 'win_rate' }], limit: 1_000 });
  const rates = rows.map(({ win_rate }) => win_rate as number).filter((rate) => rate !== null);
  assert.ok(Math.max(...rates) > 1 && rates.every((rate) => rate >= 0 && rate <= 100));
  assert.deepEqual(
    rates,
    rates.toSorted((a, b) => b - a),
  );
  assert.deepEqual(new Set(rows.map((row) => row.benchmark_btc_return)), new Set([150, null]));
  for (const rate of new Set(rates)) {
    const same = rates.filter((other) => other === rate).length;
    assert.equal(await count(where('win_rate', '=', rate)), same);
    assert.equal(await count(where('win_rate', 'in', [rate, 1_000])), same);
    assert.equal(await count(where('win_rate', 'between', [rate, rate])), same);
    assert.equal(await count(where('win_rate', '<=', rate)), rates.filter((other) => other <= rate).length);
    assert.equal(await count(where('win_rate', '>', rate)), rates.filter((other) => other > rate).length);
  }
});

test('every setting of a run can be selected, and filters the list', async () => {
  const names = settingColumns.map(({ name }) => name);
  const { rows } = await ask(results({ select: names, filters: [{ col: 'fixed_stop_pct', op: '=', value: 0.02 }] }));
  assert.equal(rows.length, 100);
  const [row] = rows;
  assert.deepEqual(Object.keys(row ?? {}), names);
  for (const setting of executionFieldNames) {
    const { kind, column = setting, default: published } = fieldOf(setting);
    if (kind !== 'object' && setting !== 'reward_factor') assert.equal(row?.[column], published, setting);
  }
  assert.equal((await list({ filters: { fixed_stop_pct: '0.02' } })).total, 192);
  assert.equal((await list({ filters: { fixed_stop_pct: '0.03' } })).total, 0);
});

test('no query reaches rows of another organization', async () => {
  const filters = [{ col: 'experiment_id', op: 'in', value: ['exp_a', 'exp_c'] }];
  const ids = async (request: object, caller = world.us) =>
    new Set(
      (await ask(results({ select: ['experiment_id'], limit: 1_000, ...request }), caller)).rows.map(
        (row) => row.experiment_id,
      ),
    );
  assert.deepEqual(await ids({}), new Set(['exp_a', 'exp_b']));
  assert.deepEqual(await ids({ filters }), new Set(['exp_a']));
  assert.deepEqual(await ids({ filters }, world.them), new Set(['exp_c']));
  assert.deepEqual(await ids({ filters: [{ col: 'experiment_id', op: '=', value: 'exp_c' }] }), new Set());
  assert.deepEqual(await ids({ filters: [{ col: 'experiment_id', op: '!=', value: 'exp_a' }] }), new Set(['exp_b']));
  for (const id of ['exp_c', '../exp_c', '%', "' OR 1=1 --"])
    assert.equal((await list({ experiment_id: id })).total, 0);
});

test('rows without a commit are invisible', async () => {
  const parts = world.db.selectFrom('experiment_parts').where('experiment_id', '=', 'exp_c');
  const { run_to: firstRuns } = await parts.where('run_from', '=', 0).select('run_to').executeTakeFirstOrThrow();
  const runsSeen = async () => {
    const { rows } = await ask(results({ limit: 1_000 }), world.them);
    return rows.map(({ run_index }) => Number(run_index)).sort((a, b) => a - b);
  };
  assert.deepEqual(await runsSeen(), [...Array(96).keys()]);
  await world.db
    .deleteFrom('experiment_parts')
    .where('experiment_id', '=', 'exp_c')
    .where('run_from', '>', 0)
    .execute();
  assert.ok(firstRuns < 96, 'there were several parts');
  assert.deepEqual(await runsSeen(), [...Array(firstRuns).keys()]);
});

test('results come best first, those without a value last, and all are counted', async () => {
  const { total, limit, offset, results: rows } = await list({});
  assert.deepEqual([total, limit, offset, rows.length], [192, 100, 0, 100]);
  const [first] = rows;
  assert.equal(first?.id, `${first?.experiment_id}:${first?.run_index}`);
  assert.deepEqual(Object.keys(first ?? {}).sort(), [...resultColumns, 'id'].sort());
  const all = [...rows, ...(await list({ offset: 100 })).results];
  const sharpes = all.map(({ sharpe_ratio }) => sharpe_ratio as number | null);
  const present = sharpes.filter((value) => value !== null);
  assert.deepEqual(
    sharpes.slice(0, present.length),
    present.toSorted((a, b) => b - a),
  );
  for (const order of ['asc', 'desc']) {
    const sorted = (await list({ sort: 'benchmark_btc_return', order, limit: 500 })).results;
    const values = sorted.map(({ benchmark_btc_return }) => benchmark_btc_return);
    assert.deepEqual(values, [...Array(96).fill(150), ...Array(96).fill(null)]);
    const keys = sorted
      .slice(0, 96)
      .map(({ experiment_id, run_index }) => `${experiment_id} ${1_000 + Number(run_index)}`);
    assert.deepEqual(keys, keys.toSorted(), 'equal ones by experiment and run');
  }
  assert.deepEqual((await list({ offset: 192 })).results, []);
});

test('results are filtered by their subject and by their settings', async () => {
  const of = async (request: object) => (await list({ limit: 500, ...request })).results;
  assert.equal((await of({ experiment_id: 'exp_a' })).length, 96);
  const winning = await of({ min_win_rate: 40 });
  assert.ok(winning.length > 0 && winning.length < 192);
  assert.ok(winning.every(({ win_rate }) => Number(win_rate) >= 40));
  const traded = await of({ min_trades: 10, asset: 'ETH' });
  assert.ok(traded.length > 0 && traded.length < 96);
  assert.ok(traded.every((row) => Number(row.total_trades) >= 10 && row.asset === 'ETH'));
  const skilled = await of({ min_sharpe: 0 });
  assert.ok(skilled.length > 0 && skilled.length < 192);
  assert.ok(skilled.every(({ sharpe_ratio }) => sharpe_ratio !== null && Number(sharpe_ratio) >= 0));
  const skipped = await of({ status: 'skipped' });
  assert.ok(skipped.length > 0 && skipped.length < 192);
  assert.ok(skipped.every(({ status }) => status === 'skipped'));
  assert.deepEqual(await of({ timeframe: '4h' }), []);
  assert.deepEqual(await of({ trigger_name: 'rsi' }), []);
  for (const two of [2, '2', '2.0']) assert.equal((await of({ filters: { reward_factor: two } })).length, 96);
  for (const no of [false, 'false', '0'])
    assert.equal((await of({ filters: { enable_volatility_adj: no } })).length, 192);
  assert.equal((await of({ filters: { volatility_mode: 'stddev', atr_period: 14 } })).length, 192);
});
