export { Documentation } from './documentation.js';
export { type SettingSchema, settingColumnNames, settingSchemas } from './setting-schemas.js';
export {
  batchDefaults,
  type ExecutionDefaults,
  executionDefaults,
  type TradingDefaults,
  tradingDefaults,
} from './trading-defaults.js';
