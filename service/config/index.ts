export { type Checks, Degraded, isHealthy, runChecks } from './checks.js';
export { settingColumnNames, settingSchemas, settingsProto } from './settings-proto.js';
export { batchDefaults, executionDefaults, tradingDefaults } from './trading-defaults.js';
