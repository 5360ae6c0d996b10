import { readDocuments } from '../data/docs/index.js';
import { errorRows } from '../http/index.js';
import { KnowledgeBase, type Registries } from '../service/knowledge/index.js';
import { listSettings } from '../service/settings/index.js';

/** Defaults that name a place of this machine, as a reader should see them. */
const places: Readonly<Record<string, string>> = { BARLINE_HOME: '.barline' };

/** What the registries of the service and of its HTTP side add to the reference. */
export const registries = (): Registries => ({
  settings: listSettings({}).map(({ name, default: usual, form, what }) => ({
    ...{ name, description: what, form },
    default: places[name] ?? usual,
  })),
  errors: errorRows,
});

/** The knowledge base over the documents of the installed package; it is built when first asked. */
export const openKnowledge = (packageRoot: string): KnowledgeBase =>
  new KnowledgeBase(() => readDocuments(packageRoot), registries);
