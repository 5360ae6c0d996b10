export { parsePortfolio } from './definition.js';
export { openHeldOutPortfolio } from './open-held-out.js';
export {
  accountOf,
  outlineOf,
  rulesOf,
  tradedMembers,
  weightFormulas,
  weightsOf,
} from './prepare.js';
export {
  type PortfolioRequest,
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
