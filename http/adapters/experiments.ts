import type { ReplyOf } from '../../contract/index.js';
import type { Adapters } from '../route.js';
import { type JsonSchema, type Schemas, withSuccess } from '../schemas.js';

/** The configuration is at the root, as the client sent it. Fields of the service override its keys. */
const flat = ({ config, ...known }: ReplyOf<'Experiments.Get'>): unknown => ({
  ...(config as object),
  success: true,
  ...known,
});

const described = (schemas: Schemas): JsonSchema => ({
  ...withSuccess(schemas.object('Experiment', 'reply', ['config'])),
  additionalProperties: {},
});

const frames: JsonSchema = {
  type: 'string',
  description:
    'Server-sent events, each with the progress as in an experiment: one at once, then one on every change and at least every 15 seconds.',
};

export const experimentAdapters: Adapters = {
  'Experiments.Create': { toJson: flat, describe: described },
  'Experiments.Get': { toJson: flat, describe: described },
  'Experiments.WatchProgress': { toFrames: (reply) => [{ data: reply }], describe: () => frames },
};
