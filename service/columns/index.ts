export { columnSourcesOf } from './capability.js';
