import { type DatasetRecord, listCatalogueSignals, listTemplates } from '../../service/catalogue/index.js';
import { batchDefaults } from '../../service/config/index.js';
import type { HandlersOf } from '../calls.js';

export interface CatalogueParts {
  readonly listDatasets: () => Promise<readonly DatasetRecord[]>;
}

export const catalogueHandlers = ({ listDatasets }: CatalogueParts): HandlersOf<'Catalogue'> => ({
  'Catalogue.ListDatasets': async () => ({ datasets: await listDatasets() }),
  'Catalogue.ListSignals': async (request) => ({ signals: listCatalogueSignals(request) }),
  'Catalogue.ListTemplates': async () => ({ templates: listTemplates() }),
  'Catalogue.GetExecutionDefaults': async () => ({ defaults: batchDefaults() }),
});
