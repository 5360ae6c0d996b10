export { DefiLlama } from './defillama.js';
export { DefiLlamaPro } from './defillama-pro.js';
export { HeldDefi } from './generated.js';
export { HeldDefiPro } from './generated-pro.js';
export type { DefiHistoryPort, DefiPort, DefiProPort, EtfHistoryPort } from './port.js';
