/**
 * A sweep from code, on all processors, with a signal of one's own and the verdict on the winner.
 *
 *   npx tsx examples/library/sweep.ts
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runSweep } from 'barline';

const sweep = await runSweep({
  folder: join(mkdtempSync(join(tmpdir(), 'barline-')), 'breakouts'),
  // Every thread loads the module, so the signals of a sweep are named by their file.
  signals: fileURLToPath(new URL('my-signals.mjs', import.meta.url)),
  sweep: {
    name: 'breakouts',
    datasets: [{ asset: 'BTC', timeframe: '1d' }],
    entry_signals: {
      triggers: [
        {
          name: 'my_breakout',
          signal_type: 'TRIGGER',
          params_sweep: { n: { values: [10, 20, 30, 50] }, margin: { values: [0, 0.25, 0.5] } },
        },
      ],
      filters: [{ name: 'is_above_sma', signal_type: 'FILTER', params_sweep: { window: { values: [50, 100, 200] } } }],
    },
    execution_config: { base: { fee_pct: 0.001, slippage_pct: 0.0005 } },
  },
  minTrades: 10,
});

console.log(`${sweep.done} of ${sweep.total} runs, ranked by ${sweep.by}`);
const [best] = sweep.best;
console.log(`best: ${best?.entry_json} ${best?.sharpe_ratio}`);
for (const { asset, verdict } of sweep.verdicts) console.log(`${asset}: ${verdict}`);
