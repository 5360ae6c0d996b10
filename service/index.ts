export { openSpan, outgoing } from '../data/tracing/index.js';
export { clip, clipMarked } from '../engine/text.js';
export type { WarningLog } from './setting-warnings.js';
