export { Documentation, type DocumentContent } from './documentation.js';
export {
  batchDefaults,
  type ExecutionDefaults,
  executionDefaults,
  type TradingDefaults,
  tradingDefaults,
} from './trading-defaults.js';
