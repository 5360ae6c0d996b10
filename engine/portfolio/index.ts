export { type AllocationInput, simulateAllocation } from './allocation.js';
export { type Contributions, moneyWeightedReturn } from './contributions.js';
export { atLastClose, type EndedAssets, endedAfter, type PortfolioGuards } from './ended.js';
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
export { KnownEntries } from './known-entries.js';
export { byMemberText, namedText, type PortfolioInput, type PortfolioMember } from './members.js';
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
export type { MemberTrade, PortfolioSimulation } from './result.js';
export { buildMarket } from './timeline.js';
export { type AllocatedAsset, rebalancePeriods } from './weights.js';
