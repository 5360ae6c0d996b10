export { BarsWithinReach, withinReach } from './bars-within-reach.js';
