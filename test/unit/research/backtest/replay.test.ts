import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { openBars } from '../../../../data/bars/index.js';
import { equityPoints, readManifest, readResult, replay, runBacktest } from '../../../../research/backtest/index.js';
import { csvOf, fileOf, tempFolder } from '../../../support/data-fixtures.js';
import { randomBars } from '../../../support/random.js';

const strategy = {
  name: 'often',
  entry: [{ name: 'rsi_oversold', signal_type: 'TRIGGER', timeframe: null, params: { window: 2, threshold: 50 } }],
};
const config = { atr_long_weight: 0, fee_pct: 0.001, slippage_pct: 0 };

async function recorded(t: TestContext) {
  const folder = tempFolder(t);
  const barsFile = await fileOf(folder, 'bars.csv', csvOf(randomBars({ seed: 12, barCount: 500 })));
  const services = { store: openBars({ home: folder }), engineVersion: '1.0.0' };
  const request = { strategy, config, barsFile, window: { start: '2024-01-05', end: '2024-01-15' } };
  const run = await runBacktest(request, services);
  return { folder, barsFile, services, run, manifest: JSON.parse(JSON.stringify(run.result.manifest)) };
}

test('a recorded run comes out the same in every bit of its JSON', async (t) => {
  const { services, run, manifest } = await recorded(t);
  assert.ok(run.result.trade_count > 5);
  const again = await replay(readManifest(manifest, 'run'), services);
  assert.deepEqual([again.isReproduced, again.changes], [true, []]);
  assert.equal(JSON.stringify(again.run.result), JSON.stringify(run.result));
  assert.equal(JSON.stringify([...equityPoints(again.run)]), JSON.stringify([...equityPoints(run)]));
});

const otherDigit = (hash: string, at = hash.length - 1) =>
  `${hash.slice(0, at)}${hash[at] === '0' ? '1' : '0'}${hash.slice(at + 1)}`;

test('a change anywhere in a record is noticed, and its place is named', async (t) => {
  const { services, run } = await recorded(t);
  const whole = () => JSON.parse(JSON.stringify({ ...run.result, equity: [...equityPoints(run)] }));
  const tampered: readonly [path: string, tamper: (record: ReturnType<typeof whole>) => void][] = [
    ['metrics.total_return', ({ metrics }) => (metrics.total_return += 1e-12)],
    ['trades[2].exit_price', ({ trades }) => (trades[2].exit_price *= 1 + 1e-12)],
    ['trade_count', (record) => (record.trade_count += 1)],
    ['equity[7].cash_balance', ({ equity }) => (equity[7].cash_balance += 1)],
    ['execution_config.fee_pct', ({ execution_config: config }) => (config.fee_pct = 0)],
    ['manifest.result_hash', ({ manifest }) => (manifest.result_hash = otherDigit(manifest.result_hash, 12))],
    ['config_hash', ({ manifest }) => (manifest.config_hash = otherDigit(manifest.config_hash, 13))],
  ];
  for (const [path, tamper] of tampered) {
    const record = whole();
    tamper(record);
    const again = await replay(readManifest(record, 'run'), services, undefined, readResult(record));
    assert.equal(again.isReproduced, false, path);
    assert.ok(
      again.changes.some((line) => line.includes(path)),
      `${path}: ${again.changes.join('; ')}`,
    );
  }
  const untouched = await replay(readManifest(whole(), 'run'), services, undefined, readResult(whole()));
  assert.deepEqual([untouched.isReproduced, untouched.changes], [true, []]);
});

test('a whole record on data that grew has the same results, and a changed one does not', async (t) => {
  const { services, run, barsFile } = await recorded(t);
  const record = JSON.parse(JSON.stringify(run.result));
  await writeFile(barsFile, csvOf(randomBars({ seed: 12, barCount: 520 })));
  const grown = await replay(readManifest(record, 'run'), services, undefined, readResult(record));
  assert.equal(grown.isReproduced, true, grown.changes.join('; '));
  record.trades[1].profit_loss += 1;
  const changed = await replay(readManifest(record, 'run'), services, undefined, readResult(record));
  assert.equal(changed.isReproduced, false);
  assert.match(changed.changes.join('\n'), /^trades\[1\]\.profit_loss was [\d.-]+, is [\d.-]+$/m);
});

test('a run that ignored keys of sides, as a service does, is replayed without them too', async (t) => {
  const { services, barsFile } = await recorded(t);
  const [often] = strategy.entry;
  const reached = { ...strategy, entry: [{ ...often, negate: true, within_bars: 5 }] };
  const window = { start: '2024-01-05', end: '2024-01-15' };
  const asked = { strategy: reached, config, barsFile, window };
  const ignored = await runBacktest({ ...asked, isAccepted: true }, services);
  const acting = await runBacktest(asked, services);
  assert.notEqual(acting.result.manifest.result_hash, ignored.result.manifest.result_hash);
  assert.equal(ignored.result.manifest.request.takes_sides, false);
  for (const { result } of [ignored, acting]) {
    const again = await replay(readManifest(JSON.parse(JSON.stringify(result.manifest)), 'run'), services);
    assert.deepEqual([again.isReproduced, again.changes], [true, []]);
  }
  const plain = await runBacktest({ ...asked, strategy, isAccepted: true }, services);
  assert.equal('takes_sides' in plain.result.manifest.request, false);
});
