export { Portfolios } from './portfolios.js';
export type { PortfolioContent } from './store.js';
