export { DefiLlama } from './defillama.js';
export { DefiLlamaPro } from './defillama-pro.js';
export { GeneratedDefi } from './generated.js';
export { GeneratedDefiPro } from './generated-pro.js';
export type { DefiHistoryPort, DefiPort, DefiProPort, EtfHistoryPort } from './port.js';
