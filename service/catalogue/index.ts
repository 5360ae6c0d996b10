export { type DatasetRecord, listDatasets } from './datasets.js';
export { type CatalogueParts, catalogueMethods } from './methods.js';
export { listCatalogueSignals } from './signals.js';
export { listTemplates } from './templates.js';
