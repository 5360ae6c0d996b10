export { HeldSocial } from './held.js';
export { LunarCrush } from './lunarcrush.js';
export type { SocialPort } from './port.js';
