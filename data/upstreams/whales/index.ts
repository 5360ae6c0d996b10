export { HeldWhales } from './held.js';
export { netIntoExchanges } from './net-by-hour.js';
export * from './port.js';
export { WhaleAlert } from './whale-alert.js';
