export { serviceColumnSources } from './capability.js';
