export { HeldSocial } from './held.js';
export { LunarCrush } from './lunarcrush.js';
export type { SocialHistoryPort, SocialPort } from './port.js';
