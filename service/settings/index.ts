export {
  type ListedSetting,
  listSettings,
  readServiceConfig,
  redacted,
  type ServiceConfig,
  unknownVariables,
} from './config.js';
export { type LiveProvider, liveProviders } from './live-providers.js';
export { settingsTable } from './table.js';
