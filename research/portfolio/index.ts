export { parsePortfolio } from './definition.js';
export { outlineOf } from './prepare.js';
export {
  type PortfolioResult,
  type PortfolioRun,
  portfolioManifestOf,
  replayPortfolio,
  runPortfolio,
} from './run-portfolio.js';
export { accountSheetOf, portfolioSheetOf } from './sheet.js';
export {
  portfolioContributionsTable,
  portfolioEquityTable,
  portfolioTradeTable,
  portfolioWeightsTable,
} from './tables.js';
