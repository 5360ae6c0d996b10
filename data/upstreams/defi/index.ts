export { DefiLlama } from './defillama.js';
export { DefiLlamaPro } from './defillama-pro.js';
export { HeldDefi } from './held.js';
export { HeldDefiPro } from './held-pro.js';
export type { DefiHistoryPort, DefiPort, DefiProPort, EtfHistoryPort } from './port.js';
