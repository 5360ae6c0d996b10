export { type AccountCourse, courseOf } from './account-course.js';
export { auditPortfolio, type PortfolioAuditReport } from './audit.js';
export { parsePortfolio } from './definition.js';
export { daysToOpen, identityOf, openDays, openHeldOutPortfolio, windowOf } from './open-held-out.js';
export {
  accountOf,
  outlineOf,
  type RunChoices,
  rulesOf,
  tradedMembers,
  weightFormulas,
  weightsOf,
} from './prepare.js';
export { type PortfolioReplay, portfolioManifestOf, replayPortfolio } from './replay.js';
export {
  type PortfolioRequest,
  type PortfolioResult,
  type PortfolioRun,
  runPortfolio,
} from './run-portfolio.js';
export { memberNames } from './settings.js';
export { accountSheetOf, memberSettings, portfolioSheetOf } from './sheet.js';
export {
  portfolioContributionsTable,
  portfolioEquityTable,
  portfolioTradeTable,
  portfolioWeightsTable,
} from './tables.js';
export { tryOfPortfolio } from './try-of-portfolio.js';
