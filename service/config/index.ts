export { Documentation } from './documentation.js';
export { settingColumnNames, settingSchemas } from './setting-schemas.js';
export { batchDefaults, executionDefaults, tradingDefaults } from './trading-defaults.js';
