export { promoCodeMethods } from './methods.js';
export { PromoCodes } from './promo-codes.js';
