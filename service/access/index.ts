export { type Credentials, Gate } from './gate.js';
export { Idempotency, type IdempotencyStore } from './idempotency.js';
export { Quotas, RateLimits, type UsageStore } from './limits.js';
export { checkPlain, DEPTH_MAX } from './request-check.js';
export { asSeenBy } from './surface.js';
