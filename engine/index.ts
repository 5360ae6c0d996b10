/**
 * The engine: pure computation over columns. It does no I/O and reads no clock. Its only randomness
 * is the seeded generator that a caller passes in. The same input gives the same bytes in any time
 * zone and on any thread.
 */
export * from './audit/index.js';
export { canonicalJson } from './canonical-json.js';
export * from './errors.js';
export * from './execution/index.js';
export * from './indicators/index.js';
export * from './metrics/index.js';
export { nearestName } from './nearest.js';
export * from './portfolio/index.js';
export * from './quality/index.js';
export * from './series/index.js';
export * from './sieve/index.js';
export * from './signals/index.js';
export * from './simd/index.js';
export * from './statistics/index.js';
export * from './strategy/index.js';
export * from './sweep/index.js';
export * from './synthetic/index.js';
export * from './timeframes/index.js';
export { adviceFor, refuseUnknownKeys, type UnknownKey, unknownKeys, unknownKeyText } from './unknown-keys.js';
