export { portfolioMethods } from './methods.js';
export { Portfolios } from './portfolios.js';
export type { PortfolioContent } from './store.js';
