export type { AssetList } from './assets-held.js';
export { auditMaskRequests, type MasksReport } from './audit-masks.js';
export { evaluateSignals, loadSignalModules } from './evaluate-signals.js';
export { fillColumns } from './fill-columns.js';
export { simulateRequests } from './simulate-requests.js';
export { holdReturn, mustBeBefore, parseTime, resolveWindow, type WindowRequest } from './window.js';
export { type LoadBars, type RunBars, storedBarLoader, within } from './window-bars.js';
