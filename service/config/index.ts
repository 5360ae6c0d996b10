export {
  type ExecutionDefaults,
  executionDefaults,
  type TradingDefaults,
  tradingDefaults,
} from './trading-defaults.js';
