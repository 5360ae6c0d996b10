export { Strategies } from './strategies.js';
