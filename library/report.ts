/** Pages of `barline`: data in, one self-contained HTML page out. */
export {
  RUNS_MAX as COMPARED_RUNS_MAX,
  renderComparison,
  renderSweep,
  renderTearSheet,
  type SweepSheet,
  type TearSheet,
} from '../report/index.js';
