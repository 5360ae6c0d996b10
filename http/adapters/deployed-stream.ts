import type { ReplyOf } from '../../contract/index.js';
import { withoutUnset } from '../answer.js';
import type { Adapters } from '../route.js';
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
