export { CcxtTrades } from './ccxt.js';
export { type BridgedMinutes, bridgedMinutes, openDrawnTrades, orNull } from './drawn.js';
export { heldInstrument, openHeldTrades } from './held.js';
export type { CountedBars, HistoryWindow, InstrumentRows, Pair, Quote, Trade, TradesPort } from './port.js';
