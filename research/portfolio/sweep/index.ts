export { assessPortfolioSweep, judgedPortfolios, triedTogether } from './assess.js';
export { bestPortfolios, type JudgedPortfolioSweep, judgedPortfolioSweep } from './judge.js';
export { isPortfolioSweep } from './plan.js';
export { default as runPortfolios, failedPortfolios, portfolioRowsOf } from './portfolio-sweep-task.js';
export type { PortfolioSetup } from './protocol.js';
export { portfolioSweepReport } from './report.js';
export {
  isPortfolioRecord,
  PORTFOLIOS,
  type PortfolioSweepOutcome,
  type PreparedPortfolioSweep,
  preparePortfolioSweep,
  sweptBars,
} from './run.js';
