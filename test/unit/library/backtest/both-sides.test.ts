import assert from 'node:assert/strict';
import test from 'node:test';
import { loadBars, runBacktest, type Strategy } from '../../../../library/index.js';
import { randomBars } from '../../../support/random.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

/** Strategies of both sides in the library. */

const home = temporaryFolder('library-both-sides');

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
