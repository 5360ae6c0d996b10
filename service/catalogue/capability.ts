import type { Capability, Foundation } from '../capability.js';
import { batchDefaults } from '../config/trading-defaults.js';
import { listDatasets } from './datasets.js';
import { listCatalogueSignals } from './signals.js';
import { listTemplates } from './templates.js';

/** What the batch engine offers to choose from. */
export const openCatalogue = ({ bars }: Foundation): Capability<'Catalogue'> => ({
  methods: {
    'Catalogue.ListDatasets': async () => ({ datasets: await listDatasets(bars) }),
    'Catalogue.ListSignals': async (request) => ({ signals: listCatalogueSignals(request) }),
    'Catalogue.ListTemplates': async () => ({ templates: listTemplates() }),
    'Catalogue.GetExecutionDefaults': async () => ({ defaults: batchDefaults() }),
  },
});
