export { GeneratedFlows } from './generated.js';
export { Ledger, type Listing, type Movement } from './ledger.js';
export { Nansen } from './nansen.js';
export * from './port.js';
export { EXCHANGES, ownerName, partyGroup, transactionHash, walletAddress } from './wallets.js';
