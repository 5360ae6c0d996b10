import {
  type DatasetRecord,
  listCatalogueSignals,
  listTemplates,
  type SignalsRequest,
} from '../../service/catalogue/index.js';
import { batchDefaults } from '../../service/config/index.js';
import type { Handlers } from '../calls.js';

export interface CatalogueParts {
  readonly listDatasets: () => Promise<readonly DatasetRecord[]>;
}

export const catalogueHandlers = ({ listDatasets }: CatalogueParts): Handlers => ({
  'Catalogue.ListDatasets': async () => ({ datasets: await listDatasets() }),
  'Catalogue.ListSignals': async (request: SignalsRequest) => ({ signals: listCatalogueSignals(request) }),
  'Catalogue.ListTemplates': async () => ({ templates: listTemplates() }),
  'Catalogue.GetExecutionDefaults': async () => ({ defaults: batchDefaults() }),
});
