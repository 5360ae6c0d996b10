export { openSpan, outgoing } from '../data/tracing/index.js';
export type { WarningLog } from './setting-warnings.js';
