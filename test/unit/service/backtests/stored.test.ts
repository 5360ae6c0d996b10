import assert from 'node:assert/strict';
import test from 'node:test';
import {
  auditStoredBacktest,
  getBacktestManifest,
  getBacktestTrades,
  listBacktests,
  renderBacktestReport,
  replayBacktest,
  runSynchronousBacktest,
  submitBacktest,
} from '../../../../service/backtests/index.js';
import { judgeMetrics } from '../../../../service/backtests/read.js';
import { backtestDeps } from '../../../support/backtest-deps.js';
import { callerOf, runBody } from '../../../support/backtests.js';

const ann = callerOf('ann');

async function storedRun(changes: object = {}, given?: Awaited<ReturnType<typeof backtestDeps>>) {
  const deps = given ?? (await backtestDeps());
  const run = await runSynchronousBacktest(ann, { ...runBody, ...changes }, deps, { filling: 'required' });
  return { run, deps, id: run.backtest_id };
}

test('the history filters, pages and echoes the parameters in effect', async () => {
  const deps = await backtestDeps();
  const ids = [];
  for (const asset of ['BTC', 'ETH-USD', 'BTC']) ids.unshift((await storedRun({ asset }, deps)).id);
  ids.unshift((await submitBacktest(ann, { ...runBody, session_id: 'talk' }, deps)).backtest_id);
  const found = async (request: object) =>
    (await listBacktests(ann, { ...request }, deps)).backtests.map(({ id }) => id);
  assert.deepEqual(await found({}), ids);
  assert.deepEqual(await found({ asset: 'eth/usdt' }), [ids[2]]);
  assert.deepEqual(await found({ status: 'completed' }), ids.slice(1));
  for (const status of ['pending', 'queued']) assert.deepEqual(await found({ status }), [ids[0]]);
  assert.deepEqual(await found({ session_id: 'talk' }), [ids[0]]);
  assert.deepEqual(await found({ date_to: '2025-12-31' }), []);
  assert.deepEqual(await found({ date_from: '2026-01-01', date_to: '2026-01-01' }), ids);
  const { backtests, ...page } = await listBacktests(ann, { limit: 2, offset: 1 }, deps);
  assert.deepEqual([backtests.map(({ id }) => id), page], [ids.slice(1, 3), { total: 4, limit: 2, offset: 1 }]);
  const { limit, offset } = await listBacktests(ann, { limit: 99_999, offset: -5 }, deps);
  assert.deepEqual([limit, offset], [1_000, 0]);
});

test('the verdict needs ten trades and then every threshold', async () => {
  const { run } = await storedRun();
  const passing = {
    ...{ ...run.metrics, total_trades: 10, sortino_ratio: 1.5, sharpe_ratio: 1.2, calmar_ratio: 1 },
    ...{ irr_annualized: 0.15, max_drawdown: 0.7, win_rate: 0.25 },
  };
  assert.equal(judgeMetrics(passing), 'PASS');
  const lossless = { ...passing, total_return: 0.2, sortino_ratio: 0, max_drawdown: 0, calmar_ratio: 0 };
  assert.equal(judgeMetrics(lossless), 'PASS', 'a run without a loss has no bound to its ratios');
  assert.equal(judgeMetrics({ ...lossless, max_drawdown: 0.1 }), 'FAIL', 'a Calmar ratio of 0 over a drawdown');
  assert.equal(judgeMetrics({ ...passing, total_trades: 9 }), 'INSUFFICIENT_TRADES');
  for (const metric of ['sortino_ratio', 'sharpe_ratio', 'calmar_ratio', 'irr_annualized', 'win_rate'] as const) {
    assert.equal(judgeMetrics({ ...passing, [metric]: passing[metric] - 0.001 }), 'FAIL', metric);
  }
  assert.equal(judgeMetrics({ ...passing, max_drawdown: 0.701 }), 'FAIL');
});

test('a stored run is replayed byte for byte, audited, and shown on a page', async () => {
  const settings = { execution_config: { fee_pct: 0.001, atr_period: 10 }, cooldown_bars: 7, mode: 'quick' };
  const { run, deps, id } = await storedRun(settings);
  const { manifest } = await getBacktestManifest(ann, id, deps);
  assert.equal(manifest.run_id, run.run_id);
  const { metrics, ...replayed } = await replayBacktest(ann, id, deps);
  assert.deepEqual(replayed, { backtest_id: id, run_id: run.run_id, is_reproduced: true, changes: [] });
  assert.equal(metrics.ending_balance, run.metrics.ending_balance);
  const audit = await auditStoredBacktest(ann, id, { cuts: 5 }, deps);
  assert.deepEqual([audit.is_clean, audit.seed, audit.cuts], [true, 42, 5]);
  const page = await renderBacktestReport(ann, id, deps);
  assert.match(page, /^<!doctype html>/i);
  assert.ok(page.includes('Dip buyer') && page.includes(manifest.data.content_hash));
  for (const request of [{ cuts: 0 }, { cuts: 201 }, { seed: -1 }, { seed: 'x' }]) {
    await assert.rejects(auditStoredBacktest(ann, id, request, deps), { code: 'VALIDATION_ERROR' });
  }
});

test('a run without a result has no evidence yet', async () => {
  const deps = await backtestDeps();
  const { backtest_id: id } = await submitBacktest(ann, runBody, deps);
  for (const ask of [getBacktestManifest, replayBacktest, renderBacktestReport]) {
    await assert.rejects(ask(ann, id, deps), {
      code: 'CONFLICT',
      message: `backtest ${id} has no result, it is queued`,
    });
  }
  assert.deepEqual(await getBacktestTrades(ann, id, deps), { backtest_id: id, trade_count: 0, trades: [] });
});

test('a run that traded counts among the tries of its organization, once it ran', async () => {
  const added: unknown[][] = [];
  const tries = { add: async (...given: unknown[]) => void added.push(given) };
  const { run, deps } = await storedRun({}, await backtestDeps({ tries }));
  assert.ok(run.trade_count > 0);
  await storedRun({}, deps);
  const [one, again] = added as [string, string, string[]][];
  assert.deepEqual([one![0], one![1], one![2].length], [ann.orgId, 'BTC', 1]);
  assert.match(one![2][0]!, /^[0-9a-f]{16}$/);
  assert.deepEqual(again, one, 'the same run is the same try');
  const entry = [
    { name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: '1d', params: { window: 14, threshold: 99 } },
  ];
  const never = JSON.stringify({ name: 'Never', asset: 'BTC', entry, exit: [] });
  const { run: idle } = await storedRun({ strategy_json: never }, deps);
  assert.deepEqual([idle.trade_count, added.length], [0, 2]);
});
