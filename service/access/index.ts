export { countedAddress } from '../addresses.js';
export { AnswerCache } from './answer-cache.js';
export { type Credentials, Gate } from './gate.js';
export { Idempotency } from './idempotency.js';
export { type CallUnit, type MonthOfUsage, Quotas, RateLimits, type RateState } from './limits.js';
export { type MeterName, type MethodMeters, meters, walletPriceUsd } from './meters.js';
export { OpenStreams } from './open-streams.js';
export {
  asSeenBy,
  checkDepth,
  checkJsonCount,
  checkJsonSize,
  checkPlain,
  findDeprecatedKeys,
  JSON_LISTS_MAX,
  JSON_VALUES_MAX,
  type JsonCount,
} from './request-check.js';
