/** The messages as they go over the wire; only `rpc/` reads them. */
export { contractJson, fileDescriptors } from './generated/parsed.js';
