export { openLive } from './open-live.js';
