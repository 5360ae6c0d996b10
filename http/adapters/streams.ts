import type { ReplyOf } from '../../contract/index.js';
import { settingColumnNames } from '../../rpc/index.js';
import { withoutUnset } from '../answer.js';
import type { Adapters } from '../route.js';
import { type JsonSchema, type ObjectSchema, requireMessageFacts, type Schemas, withSuccess } from '../schemas.js';
import type { SseFrame } from '../sse.js';

type Event = ReplyOf<'Deployed.ListEvents'>['events'][number];
type Ready = NonNullable<ReplyOf<'Deployed.Stream'>['ready']>;

const frame = (event: Event): SseFrame => ({
  id: event.id,
  event: event.type,
  data: withoutUnset('DeployedEvent', event) as object,
});

/** The part of `ready` that REST shows. */
const readyJson = ({ strategies, timestamp }: Ready): object => ({ strategies, timestamp });

const frames = {
  type: 'string',
  description:
    'Server-sent events. First `ready` with `{strategies, timestamp}`; then `fill`, `signal`, `exit_reason` and `milestone`, each with an increasing id and the event as one line of JSON; a milestone has `milestone: {metric, change}`. A comment every 15 seconds keeps the connection alive.',
  example:
    'id: 7\nevent: milestone\ndata: {"id":"7","strategy_id":"btc-trend","type":"milestone","milestone":{"metric":"account_value","change":0.05}}\n\n',
};

/** Events are sent as server-sent events, and all readers share one call. */
export const deployedAdapters: Adapters = {
  'Deployed.Stream': {
    toFrames: ({ ready, events }) =>
      ready === null ? events.map(frame) : [{ event: 'ready', data: readyJson(ready) }],
    sameForAll: { newestId: ({ ready }) => ready?.newest_id ?? null },
    describe: () => frames,
  },
};

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

const FILTERS = 'filters';
const listed = Object.keys(requireMessageFacts('ListResultsRequest').fields).filter((name) => name !== FILTERS);

/** The bars of a series are Arrow; what it holds is JSON. */
export const seriesAdapters: Adapters = {
  'Series.Get': {
    stream: {
      contentType: 'application/vnd.apache.arrow.stream',
      open: (rpc, request, options) => rpc.stream('Series.ReadBars', request, options),
      bytesIn: 'arrow',
      headers: {},
    },
  },
};

/**
 * Rows also come as Arrow, for clients that ask for it. A listing takes any column of settings as a
 * filter; the service knows the columns, and refuses names that are none.
 */
export const corpusAdapters: Adapters = {
  'Corpus.Query': {
    stream: {
      contentType: 'application/vnd.apache.arrow.stream',
      open: (rpc, request, options) => rpc.stream('Corpus.QueryColumns', request, options),
      bytesIn: 'arrow',
      headers: {
        row_count: 'X-Row-Count',
        total_bytes_billed: 'X-Total-Bytes-Billed',
        cost_estimate_usd: 'X-Cost-Estimate-Usd',
        next_page_token: 'X-Next-Page-Token',
      },
    },
  },
  'Corpus.ListResults': {
    takesAnyKey: true,
    queryBeside: Object.fromEntries(
      settingColumnNames.map((name) => [name, { type: 'string', description: 'value of the setting' }]),
    ),
    toRequest({ query }) {
      const entries = Object.entries(query);
      const named = entries.filter(([name]) => listed.includes(name));
      const filters = Object.fromEntries(entries.filter(([name]) => !listed.includes(name)));
      return { ...Object.fromEntries(named), filters };
    },
  },
};
