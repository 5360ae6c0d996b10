export { PromoCodes } from './promo-codes.js';
