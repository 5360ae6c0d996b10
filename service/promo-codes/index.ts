export { promoCodeMethods } from './capability.js';
export { PromoCodes } from './promo-codes.js';
export { SqlPromoCodeStore } from './store.js';
