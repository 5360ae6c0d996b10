import { readDeployedSet } from '../../service/deployed/definition.js';
import { DeployedFeed } from '../../service/deployed/feed.js';
import { type StreamRequest, streamDeployed } from '../../service/deployed/read.js';
import type { DeployedEvent, StoredEvent } from '../../service/deployed/stored.js';
import { livelySet } from './deployed.js';

/** Events as the store would return them, and the number of calls. */
export class Events {
  readonly all: StoredEvent[] = [];
  reads = 0;

  add(count: number, strategy_id = 'lively'): void {
    for (let k = 0; k < count; k++) {
      const event = { strategy_id, persona_id: 'ada', type: 'fill', timestamp: '', account_value: 1 } as DeployedEvent;
      this.all.push({ id: this.all.length + 1, event });
    }
  }

  async newestEvents(limit: number): Promise<StoredEvent[]> {
    this.reads++;
    return this.all.slice(-limit);
  }

  async eventsAfter(id: number, limit: number): Promise<StoredEvent[]> {
    this.reads++;
    return this.all.slice(id, id + limit);
  }
}

const set = readDeployedSet(livelySet);

/** A feed of such events that polls only once an hour. */
export function feedOfEvents(pollMs = 3_600_000) {
  const store = new Events();
  const failures: unknown[] = [];
  const feed = new DeployedFeed({ store, onInternalError: (error) => failures.push(error), pollMs });
  const never = null as never;
  const deps = { set, feed, nowMs: () => 0, store: never, market: never, replay: { msPerHour: 0, days: 1 } };
  const read = (request: StreamRequest, signal: AbortSignal) => streamDeployed(request, deps, signal);
  return { store, feed, failures, read };
}
