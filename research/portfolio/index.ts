export { parsePortfolio } from './definition.js';
export { type PortfolioRequest, type PortfolioResult, type PortfolioRun, runPortfolio } from './run-portfolio.js';
export { portfolioEquityTable, portfolioTradeTable } from './tables.js';
