export { type DatasetRecord, listDatasets } from './datasets.js';
export { listCatalogueSignals, type SignalsRequest } from './signals.js';
export { listTemplates } from './templates.js';
