export { listDatasets } from './datasets.js';
export { listTemplates } from './templates.js';
