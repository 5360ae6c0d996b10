export { computeSupplied, evaluateOhlcv } from './compute.js';
export { KnowledgeBase, type Topic } from './knowledge-base.js';
export { type Library, type Registries, referenceEntries, referenceFiles } from './library.js';
export { passageTitle } from './page.js';
