/** Pages of `barline`: data in, one self-contained HTML page out. */
export {
  type PortfolioSheet,
  RUNS_MAX as COMPARED_RUNS_MAX,
  renderComparison,
  renderPortfolio,
  renderSweep,
  renderTearSheet,
  type SweepSheet,
  type TearSheet,
} from '../report/index.js';
