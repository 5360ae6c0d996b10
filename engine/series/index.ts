export * from './bars.js';
export * from './bits.js';
export { ColumnMemory } from './column-memory.js';
export { dayEnds } from './days.js';
export * from './intervals.js';
export { type SharedBars, shareBars, viewBars } from './shared-bars.js';
export { bufferNumber, sharedColumns, weighReceived } from './shared-columns.js';
export { isBareDate, isoTime, parseIsoTime } from './time.js';
export { validateBars } from './validate.js';
