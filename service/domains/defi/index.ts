export { Defi } from './defi.js';
