export { parsePortfolio } from './definition.js';
export { type PortfolioResult, runPortfolio } from './run-portfolio.js';
export { portfolioEquityTable, portfolioTradeTable } from './tables.js';
