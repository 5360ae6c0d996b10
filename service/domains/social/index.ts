export { Social } from './social.js';
