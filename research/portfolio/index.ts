export { parsePortfolio } from './definition.js';
export { type PortfolioResult, type PortfolioRun, runPortfolio } from './run-portfolio.js';
export {
  portfolioContributionsTable,
  portfolioEquityTable,
  portfolioTradeTable,
  portfolioWeightsTable,
} from './tables.js';
