export { GeneratedWhales } from './generated.js';
export { netIntoExchanges } from './net-by-hour.js';
export * from './port.js';
export { WhaleAlert } from './whale-alert.js';
