import { batchDefaults } from '../config/index.js';
import type { UseCasesOf } from '../use-cases.js';
import type { DatasetRecord } from './datasets.js';
import { listCatalogueSignals } from './signals.js';
import { listTemplates } from './templates.js';

interface CatalogueParts {
  readonly listDatasets: () => Promise<readonly DatasetRecord[]>;
}

export const catalogueMethods = ({ listDatasets }: CatalogueParts): UseCasesOf<'Catalogue'> => ({
  'Catalogue.ListDatasets': async () => ({ datasets: await listDatasets() }),
  'Catalogue.ListSignals': async (request) => ({ signals: listCatalogueSignals(request) }),
  'Catalogue.ListTemplates': async () => ({ templates: listTemplates() }),
  'Catalogue.GetExecutionDefaults': async () => ({ defaults: batchDefaults() }),
});
