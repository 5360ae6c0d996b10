export { type Checks, Degraded, isHealthy, runChecks } from './checks.js';
export { settingColumnNames, settingSchemas } from './setting-schemas.js';
export { settingsProto } from './settings-proto.js';
export { batchDefaults, executionDefaults, tradingDefaults } from './trading-defaults.js';
