export { type BridgedMinutes, bridgedMinutes, orNull } from './bridged.js';
export { CcxtTrades } from './ccxt.js';
export { openDrawnTrades } from './drawn.js';
export { heldInstrument, openHeldTrades } from './held.js';
export type { CountedBars, HistoryWindow, InstrumentRows, Pair, Quote, Trade, TradesPort } from './port.js';
