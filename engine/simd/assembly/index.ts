export { greater, greaterOrEqual } from './compare';
export { atr, macd, smooth } from './recursive';
export { meanAndDeviation, rollingMax, rollingMin, sma } from './rolling';
