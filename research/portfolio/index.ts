export { type AccountCourse, accountCourse } from './account-course.js';
export { auditPortfolio, type PortfolioAuditReport } from './audit.js';
export { parsePortfolio } from './definition.js';
export { daysToOpen, heldOutWindow, openDays, openHeldOutPortfolio, runIdentity } from './open-held-out.js';
export { outlinePortfolio, prepareAccount, type RunChoices, tradedMembers } from './outline.js';
export { rulesInput, weightFormulas, weightsInput } from './prepare.js';
export { findPortfolioManifest, type PortfolioReplay, replayPortfolio } from './replay.js';
export {
  type PortfolioRequest,
  type PortfolioResult,
  type PortfolioRun,
  runPortfolio,
} from './run-portfolio.js';
export { memberNames } from './settings.js';
export { buildAccountSheet, buildPortfolioSheet, memberSettings } from './sheet.js';
export {
  portfolioContributionsTable,
  portfolioEquityTable,
  portfolioTradeTable,
  portfolioWeightsTable,
} from './tables.js';
export { tryOfPortfolio } from './try-of-portfolio.js';
