export { listDatasets } from './datasets.js';
export { catalogueMethods } from './capability.js';
export { listTemplates } from './templates.js';
