export { createAccount, getAccount, listAccounts, updateAccount } from './accounts.js';
export {
  type EvaluateBulkRequest,
  type EvaluateInlineRequest,
  type EvaluateSavedRequest,
  evaluateBulk,
  evaluateInline,
  evaluateStrategy,
} from './evaluate-strategy.js';
export {
  getPortfolio,
  getPosition,
  listPositions,
  listTrades,
  type PositionsRequest,
  type TradesRequest,
} from './listings.js';
export type { MarketData } from './market.js';
export type * from './records.js';
export type { ExecutionServices } from './services.js';
