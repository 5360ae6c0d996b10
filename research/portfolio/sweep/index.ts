export { bestPortfolios, type JudgedPortfolioSweep, judgedPortfolioSweep } from './judge.js';
export { isPortfolioSweep } from './plan.js';
export { portfolioSweepReport } from './report.js';
export { isPortfolioRecord, type PortfolioSweepOutcome } from './run.js';
