export { HeldWhales } from './held.js';
export * from './port.js';
