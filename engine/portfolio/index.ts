export { type AllocationInput, simulateAllocation } from './allocation.js';
export { type Contributions, type Flow, moneyWeightedReturn } from './contributions.js';
export { atLastClose, type EndedAssets, endedAfter } from './ended.js';
export {
  type AllocationPlan,
  allocationFields,
  checkMemberCount,
  contributionFields,
  endedFields,
  guardFields,
  MEMBERS_MAX,
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
  type AllocationStep,
  isPaperPortfolio,
  openPaperAllocation,
  openPaperRules,
  type PaperAllocation,
  type PaperPortfolio,
  type PaperRules,
  type RulesStep,
  stepAllocation,
  stepRules,
} from './paper.js';
export { simulatePortfolio } from './portfolio.js';
export { rebalancePeriods } from './rebalance-period.js';
export type { MemberCourses, MemberTrade, PortfolioSimulation } from './result.js';
export { marketOf } from './timeline.js';
export type { AllocatedAsset } from './weights.js';
