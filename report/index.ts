/** Pages for people: data in, one self-contained HTML file out. No I/O, clock or locale. */
export {
  type ComparedRow,
  comparedDrawdowns,
  comparedRules,
  comparedSettings,
  RUNS_MAX,
  renderComparison,
} from './compare.js';
export { percentDigits } from './format.js';
export type { PortfolioSheet } from './portfolio/charts.js';
export { renderPortfolio } from './portfolio/page.js';
export type { Figures, SheetEvent, SheetIndicator, SheetRule, SheetTrade, TearSheet } from './sheet.js';
export { listFindings, type MarketHeld, walkForwardWords } from './sweep/findings.js';
export { renderSweep } from './sweep/page.js';
export type {
  Distribution,
  Explored,
  SheetCounts,
  SheetDataset,
  SheetParameter,
  SheetRun,
  SweepSheet,
} from './sweep/sheet.js';
export { type AssessmentInWords, plainSpaces, verdictText, withWords } from './sweep/verdict.js';
export { renderTearSheet } from './tear-sheet.js';
