export { Seal } from '../seal.js';
export { type Bought, type PaidCall, Payments } from './payments.js';
export type { SignedPayment } from './signed-payment.js';
export { SqlPaymentStore } from './store.js';
export { Terms } from './terms.js';
