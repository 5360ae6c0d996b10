export { HeldWhales } from './held.js';
export * from './port.js';
export { WhaleAlert } from './whale-alert.js';
