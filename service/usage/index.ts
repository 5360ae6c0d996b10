export { Usage, usageMethods } from './usage.js';
