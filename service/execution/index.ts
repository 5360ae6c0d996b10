export { createAccount, getAccount, listAccounts, updateAccount } from './accounts.js';
export { evaluateBulk, evaluateInline, evaluateStrategy } from './evaluate-strategy.js';
export { getPortfolio, getPosition, listPositions, listTrades } from './listings.js';
export type { MarketData } from './market.js';
export type * from './records.js';
export type { ExecutionServices } from './services.js';
