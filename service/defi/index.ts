export { Defi } from './defi.js';
export { defiMethods } from './methods.js';
