import type { Adapters } from '../route.js';
import { conversationAdapters } from './conversation.js';
import { corpusAdapters } from './corpus.js';
import { deployedAdapters } from './deployed-stream.js';
import { evaluationAdapters } from './evaluations.js';
import { executionStateAdapters } from './execution-state.js';
import { experimentAdapters } from './experiments.js';
import { loginAdapters } from './login.js';
import { pageAdapters } from './pages.js';

/** What REST has that the contract cannot say, by method; each file states its reason. */
export const adapters: Adapters = {
  ...conversationAdapters,
  ...corpusAdapters,
  ...deployedAdapters,
  ...evaluationAdapters,
  ...executionStateAdapters,
  ...experimentAdapters,
  ...loginAdapters,
  ...pageAdapters,
};
