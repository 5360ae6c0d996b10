export {
  type ListedSetting,
  listSettings,
  readServiceConfig,
  redacted,
  type ServiceConfig,
  unknownVariables,
} from './config.js';
export { settingsTable } from './table.js';
