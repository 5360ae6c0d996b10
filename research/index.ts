export type { AssetList } from './assets-held.js';
export { auditMaskRequests, type MasksReport } from './audit-masks.js';
export { evaluateSignals } from './evaluate-signals.js';
export { fillColumns } from './fill-columns.js';
export { holdReturn } from './hold-return.js';
export { loadSignalModules } from './load-signals.js';
export { simulateRequests } from './simulate-requests.js';
export { mustBeBefore, parseTime, resolveWindow, type Window, type WindowRequest } from './window.js';
export { type LoadBars, type RunBars, storedBarLoader, within } from './window-bars.js';
