export { GeneratedWhales } from './generated.js';
export * from './port.js';
export { netIntoExchanges } from './port.js';
export { WhaleAlert } from './whale-alert.js';
