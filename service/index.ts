export type { WarningLog } from './setting-warnings.js';
