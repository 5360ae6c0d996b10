/**
 * One account over many assets: a sweep of rotations, the best of them again, and its audit.
 *
 *   npx tsx examples/library/portfolio.ts
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPortfolio, runPortfolioSweep } from 'barline';

const window = { start: '2022-01-01', end: '2024-12-31' };
const sweep = await runPortfolioSweep({
  folder: join(mkdtempSync(join(tmpdir(), 'barline-')), 'rotations'),
  sweep: {
    name: 'rotations',
    portfolio: {
      interval: '1d',
      allocation: { assets: ['BTC', 'ETH', 'SOL'], every: '1w', rank_by: 'roc(close, 90)', top: 1 },
      execution_config: { fee_pct: 0.001, slippage_pct: 0.0005 },
    },
    sweep_axes: [
      { param: 'allocation.top', values: [1, 2, null] },
      { param: 'allocation.every', values: ['1w', '1M'] },
    ],
    ...window,
  },
  minTrades: 10,
});

console.log(`${sweep.done} of ${sweep.total} portfolios, ranked by ${sweep.by}`);
console.log(sweep.verdict?.verdict);
const [best] = sweep.best;
if (best !== undefined) {
  const run = await runPortfolio({ portfolio: sweep.portfolioOf(best), ...window });
  console.log(`again: return ${run.metrics.total_return === best.total_return ? 'the same' : 'another one'}`);
  const { is_clean, chance } = await run.audit();
  console.log(`${is_clean ? 'no look-ahead' : 'look-ahead'}; signals at other times do as well in ${chance?.luck_p}`);
}
