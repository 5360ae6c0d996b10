export { bridgeBars, splitVolume } from './bridge-bars.js';
export { type MarketCondition, marketConditions, type SyntheticMarket, synthesizeBars } from './synthesize-bars.js';
