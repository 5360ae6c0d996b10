export { type DatasetRecord, listDatasets } from './datasets.js';
export { listCatalogueSignals } from './signals.js';
export { listTemplates } from './templates.js';
