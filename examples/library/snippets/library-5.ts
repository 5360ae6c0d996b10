import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runSweep } from 'barline';

const sweep = await runSweep({
  folder: join(mkdtempSync(join(tmpdir(), 'barline-')), 'crosses'),
  sweep: {
    name: 'crosses',
    datasets: [{ asset: 'BTC', timeframe: '1d' }],
    entry_signals: {
      triggers: [{ name: 'sma_cross_up', signal_type: 'TRIGGER', params: { window_slow: 50 },
        params_sweep: { window_fast: { values: [5, 10] } } }],
      filters: [{ name: 'is_above_sma', signal_type: 'FILTER', params_sweep: { window: { values: [50, 100] } } }],
    },
  },
});
console.log(sweep.done, sweep.best[0]?.run_index, sweep.verdicts[0]?.verdict);
const [row] = await sweep.query('SELECT avg(total_return) AS mean FROM results');
console.log(row?.mean);
