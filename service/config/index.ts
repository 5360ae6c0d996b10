export { Documentation, type DocumentContent } from './documentation.js';
export {
  type ExecutionDefaults,
  executionDefaults,
  type TradingDefaults,
  tradingDefaults,
} from './trading-defaults.js';
