export { GeneratedSocial } from './generated.js';
export { LunarCrush } from './lunarcrush.js';
export type { SocialHistoryPort, SocialPort } from './port.js';
