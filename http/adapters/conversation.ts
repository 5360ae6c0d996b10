import type { Adapters } from '../route.js';
import { withSuccess } from '../schemas.js';

/** A conversation stands at the root and under `context`, because existing clients read either. */
export const conversationAdapters: Adapters = {
  'Assistant.Get': {
    toJson: ({ context }) => ({ success: true, context, ...context }),
    describe(schemas) {
      const context = schemas.object('ConversationContext', 'reply');
      const { properties } = schemas.object('ConversationRead', 'reply');
      return withSuccess({ ...context, properties: { ...properties, ...context.properties } });
    },
  },
};
