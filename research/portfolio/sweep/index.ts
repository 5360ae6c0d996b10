export { assessPortfolioSweep, judgedPortfolios, triedTogether } from './assess.js';
export { bestPortfolios, type JudgedPortfolioSweep, judgedPortfolioSweep } from './judge.js';
export { isPortfolioSweep } from './plan.js';
export { type PortfolioSetup, type PortfolioThreads, startPortfolioThreads } from './protocol.js';
export { portfolioSweepReport } from './report.js';
export {
  isPortfolioRecord,
  PORTFOLIOS,
  type PortfolioSweepOutcome,
  type PreparedPortfolioSweep,
  preparePortfolioSweep,
  sweptBars,
} from './run.js';
