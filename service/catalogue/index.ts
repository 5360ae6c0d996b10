export { type DatasetRecord, listDatasets } from './datasets.js';
export { listCatalogueSignals, type SignalsRequest } from './signals.js';
export { type ExperimentTemplate, listTemplates } from './templates.js';
