export { trainSieve } from './train.js';
