export { DefiLlama } from './defillama.js';
export { DefiLlamaPro } from './defillama-pro.js';
export { GeneratedDefi, GeneratedDefiPro } from './generated.js';
export type { DefiHistoryPort, DefiPort, DefiProPort, EtfHistoryPort } from './port.js';
