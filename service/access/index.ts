export { countedAddress } from '../addresses.js';
export type { CallUnit } from './call-unit.js';
export { findDeprecatedKeys } from './deprecated-keys.js';
export { type Credentials, Gate } from './gate.js';
export { Idempotency } from './idempotency.js';
export { type MonthOfUsage, Quotas, RateLimits, type RateState } from './limits.js';
export { type MeterName, type MethodMeters, meters, walletPriceUsd } from './meters.js';
export {
  checkDepth,
  checkJsonCount,
  checkJsonSize,
  checkPlain,
  JSON_LISTS_MAX,
  JSON_VALUES_MAX,
  type JsonCount,
} from './request-check.js';
export { asSeenBy } from './surface.js';
