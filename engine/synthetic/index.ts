export { type MarketCondition, marketConditions, type SyntheticMarket, synthesizeBars } from './synthesize-bars.js';
