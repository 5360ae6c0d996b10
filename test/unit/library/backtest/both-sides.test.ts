import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { loadBars, runBacktest, type Strategy } from '../../../../library/index.js';
import { runCliBatch } from '../../../support/cli.js';
import { randomBars } from '../../../support/random.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { root } from '../../../support/tree.js';

/** Strategies of both sides in the library, and the examples that people bring from freqtrade. */

const home = temporaryFolder('library-both-sides');

const examples = [
  { file: 'examples/freqtrade/ema-cross.json', asset: 'ETH', exits: ['SIGNAL', 'TP', 'TRAIL'] },
  { file: 'examples/freqtrade/bollinger-both-sides.json', asset: 'BTC', exits: ['SIGNAL', 'SL'] },
] as const;

for (const { file, asset, exits } of examples) {
  test(`${file} runs alike from the command line and the library, and its audit is clean`, async () => {
    const strategy = JSON.parse(await readFile(join(root, file), 'utf8')) as Strategy;
    const place = { interval: '1h', start: '2023-01-01', end: '2023-12-31' };
    const args = ['--strategy', file, '--interval', '1h', '--start', place.start, '--end', place.end];
    const [printed, json, audited] = await runCliBatch(
      [
        ['backtest', ...args],
        ['backtest', ...args, '--json'],
        ['audit', ...args, '--cuts', '2'],
      ],
      { home },
    );
    const { result, trades } = await runBacktest({ strategy, ...place, home });
    const told = JSON.parse(json?.stdout ?? '') as typeof result;
    assert.deepEqual(told.manifest.run_id, result.manifest.run_id);
    assert.deepEqual(told.manifest.result_hash, result.manifest.result_hash);
    assert.equal(result.asset, asset);
    const reasons = new Set(trades.map(({ exit_reason }) => exit_reason));
    for (const reason of exits) assert.ok(reasons.has(reason), reason);
    assert.match(printed?.stdout ?? '', /exposure: gross /);
    assert.equal(audited?.code, 0);
    assert.match(audited?.stdout ?? '', /clean: no rule and no closed trade changed/);
  });
}

test('rules may leave out timeframe and parameters on every side and in every list', async () => {
  const of = ({ time, open, high, low, close, volume }: ReturnType<typeof randomBars>, asset: string) =>
    loadBars({ columns: { time, open, high, low, close, volume }, asset });
  const bars = await of(randomBars({ seed: 1, barCount: 700 }), 'RND');
  const other = await of(randomBars({ seed: 2, barCount: 700 }), 'OTHER');
  const up = { name: 'ema_cross_up', signal_type: 'TRIGGER' } as const;
  const down = { name: 'ema_cross_down', signal_type: 'TRIGGER' } as const;
  const strategy: Strategy = {
    entry: {
      any: [
        [up],
        [
          { ...up, within_bars: 3, asset: 'OTHER' },
          { name: 'rsi_overbought', signal_type: 'FILTER', negate: true },
        ],
      ],
    },
    exit: [down],
    short_entry: [down],
    short_exit: [up],
  };
  const run = await runBacktest({
    strategy,
    bars,
    otherBars: { OTHER: other },
    config: { preset: 'signals-only', leverage: 2 },
  });
  assert.ok(run.trades.length > 5);
  assert.ok(run.tearSheet().includes('Sells short when'));
  assert.equal((await run.audit({ cuts: 3 })).is_clean, true);
  const missing = runBacktest({ strategy, bars, home });
  await assert.rejects(missing, /entry\.any\[1\]\[0\]\.asset: .* barline data import FILE --asset OTHER --interval 1h/);
  await assert.rejects(
    runBacktest({ strategy: { short_entry: [{ ...down, within_bars: 0 }] }, bars }),
    /short_entry\[0\]\.within_bars must be a whole number 1\.\.500, was 0/,
  );
});
