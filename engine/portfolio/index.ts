export { type AllocationInput, simulateAllocation } from './allocation.js';
export {
  type AllocationPlan,
  allocationFields,
  checkMemberCount,
  guardFields,
  MEMBERS_MAX,
  memberFields,
  portfolioFields,
  readAllocationPlan,
  readFields,
  readGuardFields,
} from './fields.js';
export type { PortfolioGuards } from './guards.js';
export { type PortfolioInput, type PortfolioMember, simulatePortfolio } from './portfolio.js';
export { type RebalancePeriod, rebalancePeriods } from './rebalance-period.js';
export type { MemberDenial, MemberFacts, MemberTrade, PortfolioSimulation } from './result.js';
export { marketOf, type Timeline, timelineOf } from './timeline.js';
export type { AllocatedAsset, Weighting, WeightRule } from './weights.js';
