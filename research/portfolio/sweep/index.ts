export {
  assessPortfolioSweep,
  portfolioPower,
  recordJudgedPortfolios,
  recordPortfolioTries,
} from './assess.js';
export { isPortfolioSweep } from './plan.js';
export { portfolioSweepReport } from './report.js';
export { isPortfolioRecord, type PortfolioSweepOutcome, runPortfolioSweep } from './run.js';
