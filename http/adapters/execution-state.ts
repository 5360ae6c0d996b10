import type { Adapters } from '../route.js';

/** The fields of the state may stand at the root of the body, as the first clients sent them. */
export const executionStateAdapters: Adapters = {
  'Strategies.SetExecutionState': {
    takesAnyKey: true,
    toRequest: ({ params, body }) => ({ ...params, execution_state: body.execution_state ?? body }),
  },
};
