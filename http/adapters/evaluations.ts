import type { ReplyOf } from '../../contract/index.js';
import { withoutUnset } from '../answer.js';
import type { Adapters } from '../route.js';
import { type JsonSchema, type ObjectSchema, type Schemas, withSuccess } from '../schemas.js';

type Evaluation = ReplyOf<'Execution.Evaluate'>;

/** The documented keys of an evaluation that failed. */
const failedKeys = [
  'success',
  'strategy_id',
  'strategy_name',
  'asset',
  'current_price',
  'new_orders',
  'error',
] as const satisfies readonly (keyof Evaluation)[];

/** An evaluation says itself whether it succeeded, and one that failed has fewer keys. */
const evaluationJson = (reply: Evaluation): object =>
  reply.success
    ? (withoutUnset('Evaluation', reply) as object)
    : Object.fromEntries(failedKeys.map((key) => [key, reply[key]]));

const described = (schemas: Schemas): ObjectSchema => ({
  ...schemas.object('Evaluation', 'reply'),
  required: failedKeys,
});

function describedBulk(schemas: Schemas): JsonSchema {
  const bulk = schemas.object('BulkEvaluation', 'reply');
  const results = { ...bulk.properties.results, items: described(schemas) };
  return withSuccess({ ...bulk, properties: { ...bulk.properties, results } });
}

export const evaluationAdapters: Adapters = {
  'Execution.Evaluate': { toJson: evaluationJson, describe: described },
  'Execution.EvaluateInline': { toJson: evaluationJson, describe: described },
  'Execution.EvaluateBulk': {
    toJson: (reply) => ({ ...reply, results: reply.results.map(evaluationJson) }),
    describe: describedBulk,
  },
};
