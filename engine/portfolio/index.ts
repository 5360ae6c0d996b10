export { type AllocationInput, simulateAllocation } from './allocation.js';
export { type Contributions, moneyWeightedReturn } from './contributions.js';
export { atLastClose, type EndedAssets, endedAfter } from './ended.js';
export {
  type AllocationPlan,
  allocationFields,
  checkMemberCount,
  endedFields,
  guardFields,
  portfolioFields,
  readAllocationPlan,
  readContributions,
  readEnded,
  readGuardFields,
  readLimits,
  readWeight,
} from './fields.js';
export type { PortfolioGuards } from './guards.js';
export { byMemberText, namedText } from './member-text.js';
export type { PortfolioInput, PortfolioMember } from './members.js';
export {
  isPaperPortfolio,
  openPaperAllocation,
  openPaperRules,
  type PaperAllocation,
  type PaperPortfolio,
  stepAllocation,
  stepRules,
} from './paper.js';
export { simulatePortfolio } from './portfolio.js';
export { rebalancePeriods } from './rebalance-period.js';
export type { MemberTrade, PortfolioSimulation } from './result.js';
export { buildMarket } from './timeline.js';
export type { AllocatedAsset } from './weights.js';
