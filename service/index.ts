export { openSpan, outgoing } from '../data/tracing/index.js';
export { clip, clipMarked } from '../engine/text.js';
export { unknownKeys, unknownKeyText } from '../engine/unknown-keys.js';
export { JsonText, pacedJson } from './json-text.js';
export { inTurn, Pace } from './pace.js';
export type { WarningLog } from './setting-warnings.js';
