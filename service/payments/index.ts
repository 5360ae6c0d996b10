export { Seal } from '../seal.js';
export { type Bought, type PaidCall, Payments } from './payments.js';
export type { SignedPayment } from './signed-payment.js';
export { Terms } from './terms.js';
