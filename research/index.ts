export { evaluateSignals } from './evaluate-signals.js';
export { type LoadBars, storedBarLoader, within } from './load-bars.js';
export { simulateRequests } from './simulate-requests.js';
export { mustBeBefore, parseTime, type Window, type WindowRequest } from './window.js';
