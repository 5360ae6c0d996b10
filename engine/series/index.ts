export * from './bars.js';
export * from './bits.js';
export { ColumnMemory } from './column-memory.js';
export { findGaps, type Gap } from './gaps.js';
export { hasHistory, historyFrom, historyStart } from './history.js';
export * from './intervals.js';
export {
  bufferNumber,
  joinBars,
  type SharedBars,
  shareBars,
  sharedColumns,
  viewBars,
  weighReceived,
} from './shared-bars.js';
export { dayEnds, isBareDate, isoTime, parseIsoTime } from './time.js';
export { validateBars } from './validate.js';
