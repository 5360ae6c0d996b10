export { promoCodeMethods } from './methods.js';
export { PromoCodes } from './promo-codes.js';
export { SqlPromoCodeStore } from './store.js';
