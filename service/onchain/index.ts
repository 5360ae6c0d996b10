export { onChainMethods } from './methods.js';
export { ChainSeries } from './series.js';
export { SmartMoney } from './smart-money.js';
export { ChainLists } from './trades.js';
export { WhaleMoves } from './whale-moves.js';
