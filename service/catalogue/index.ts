export { listDatasets } from './datasets.js';
export { catalogueMethods } from './methods.js';
export { listTemplates } from './templates.js';
