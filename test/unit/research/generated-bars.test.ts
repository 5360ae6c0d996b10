import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { openBars } from '../../../data/bars/index.js';
import { openStoredMarketData } from '../../../data/providers/index.js';
import { type BarSeries, HOUR_MS, MINUTE_MS, sharedColumns } from '../../../engine/series/index.js';
import { aggregateBars } from '../../../engine/timeframes/index.js';
import { replay, runBacktest } from '../../../research/backtest/index.js';
import { listWarnings } from '../../../service/deployed/next-bar.js';
import { DeployedRunner } from '../../../service/deployed/runner.js';
import { SqlDeployedStore } from '../../../service/deployed/store.js';
import { evaluateInline } from '../../../service/execution/evaluate-strategy.js';
import { SqlExecutionStore } from '../../../service/execution/store.js';
import { oneStrategy } from '../../support/deployed.js';
import { ann } from '../../support/execution-world.js';
import { emptyState } from '../../support/shared-state.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { root } from '../../support/tree.js';

const sampleDir = join(root, 'sample');
const store = openBars({ home: temporaryFolder('generated-bars'), sampleDir, allocate: sharedColumns });
const market = openStoredMarketData(store);
const services = { store: market, engineVersion: 'test' };
const [FROM, TO] = [Date.UTC(2023, 11, 30), Date.UTC(2024, 0, 2)];
const STEP = 5 * MINUTE_MS;

const allowed = { allow_generated_bars: true };
const entry = [{ name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: '5m', params: { window: 3, threshold: 50 } }];
const strategy = { name: 'Cross', asset: 'BTC', entry, exit: [], reward_factor: 2 };
const window = { start: '2024-03-01', end: '2024-03-02' };
const wayOut = /a run with allow_generated_bars draws them within the held 1h bars/;
const note =
  /^(?:BTC[ 0-9a-z,]*: )?5m bars of BTC (?:where none are held|\(\d+ of \d+ with the history\)) are generated within held 1h bars: /;

const rowsOf = ({ barCount, time, open, high, low, close, volume }: BarSeries, fromMs = -Infinity) =>
  Array.from({ length: barCount }, (_, i) => [time[i]!, open[i], high[i], low[i], close[i], volume[i]] as const).filter(
    ([at]) => at >= fromMs,
  );

test('bars are held ones where there are some, and others merge to the held coarser ones', async () => {
  const load = async (intervalMs: number, fromMs = FROM, toMs = TO) =>
    (await store.drawn.load({ asset: 'BTC', intervalMs, fromMs, toMs })).bars;
  const bars = await load(STEP);
  const { bars: held, entry: heldEntry } = await store.load({ asset: 'BTC', intervalMs: STEP, fromMs: FROM, toMs: TO });
  const closeMs = heldEntry.lastMs + STEP;
  assert.deepEqual(rowsOf(bars).slice(0, held.barCount), rowsOf(held));
  assert.equal(bars.barCount, (TO - FROM) / STEP, 'without a hole');
  const hours = await store.load({ asset: 'BTC', intervalMs: HOUR_MS, fromMs: closeMs, toMs: TO });
  assert.deepEqual(rowsOf(aggregateBars(bars, HOUR_MS).bars, closeMs), rowsOf(hours.bars));
  const quarters = rowsOf(await load(3 * STEP), closeMs);
  assert.deepEqual(quarters, rowsOf(aggregateBars(bars, 3 * STEP).bars, closeMs), 'one story at every interval');
  const oddMs = closeMs + 7 * STEP - 1;
  assert.deepEqual(rowsOf(await load(STEP, oddMs, TO - 1)), rowsOf(bars, oddMs), 'in every window');
  const { entry: whole } = await store.drawn.resolveSource('BTC', STEP);
  assert.deepEqual([whole.firstMs, whole.lastMs + STEP], [Date.UTC(2017, 7, 17, 4), Date.UTC(2025, 8, 19, 23)]);
});

test('a backtest over bars that are not held is refused with the way out, which warns', async () => {
  const run = (asked: object, interval = '5m') =>
    runBacktest({ strategy: { ...strategy, ...asked }, interval, window }, services);
  await assert.rejects(run({}), { code: 'EMPTY_WINDOW', message: wayOut });
  await assert.rejects(run({ asset: 'ETH' }), { code: 'NOT_FOUND', message: wayOut });
  const { result } = await run({ execution_config: allowed });
  assert.ok(result.trade_count > 0);
  assert.equal(result.warnings.filter((line) => note.test(line)).length, 1);
  assert.equal(result.side_metrics, undefined, 'a run as any other');
  const asked = { strategy, interval: '5m', window: { start: '2023-12-01', end: '2024-01-31' } };
  const { result: cut } = await runBacktest(asked, services);
  assert.equal(cut.window.end, '2023-12-31T00:00:00Z');
  assert.match(
    cut.warnings.join('\n'),
    /goes beyond the held 5m bars of BTC, and a run with allow_generated_bars draws/,
  );
  const again = await replay(result.manifest, services);
  assert.deepEqual([again.isReproduced, again.changes], [true, []]);
});

test('so are evaluations and deployed strategies', async () => {
  const asked = { ...strategy, asset: 'ETH', timeframe: '5m' };
  const state = await emptyState();
  const paper = { store: new SqlExecutionStore(state.db), market, now: () => 0, newId: () => 'id' };
  await assert.rejects(evaluateInline(ann, { strategy: asked }, paper), { message: wayOut });
  const result = await evaluateInline(ann, { strategy: { ...asked, execution_config: allowed } }, paper);
  assert.match(result.warnings.join(), /^5m bars of ETH \(\d+ of \d+ with the history\) are generated/);
  const set = oneStrategy({ asset: 'ETH', timeframe: '5m', entry, execution_config: allowed });
  const [deployed] = set.strategies.values();
  const failures: unknown[] = [];
  const runner = new DeployedRunner({
    ...{ set, market, store: new SqlDeployedStore(state.db), replay: { msPerHour: 1, days: 1 } },
    ...{ nowMs: () => 0, sleep: async () => {}, onEvents: async () => {}, onWarnings: () => {} },
    onInternalError: (error) => failures.push(error),
  });
  for (let i = 0; i < 2; i++) assert.equal(await runner.tick(deployed!), 'advanced');
  assert.deepEqual(failures, []);
  assert.match((await listWarnings(deployed!, market)).join(), /^5m bars of ETH where none are held are generated/);
});
