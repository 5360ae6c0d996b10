export { socialMethods } from './methods.js';
export { Social } from './social.js';
