import type { Kysely, Selectable } from 'kysely';
import type { StateSchema } from '../state/tables.js';
import { enqueueWebhookEvent, type WebhookEventType } from '../webhooks/events.js';
import type { ExperimentTable } from './tables.js';

type Told = Pick<
  Selectable<ExperimentTable>,
  'id' | 'org_id' | 'name' | 'status' | 'total_runs' | 'error' | 'revision'
>;

/** The columns that an event needs. */
export const toldColumns = ['id', 'org_id', 'name', 'status', 'total_runs', 'error', 'revision'] as const;

const typeOf: Readonly<Partial<Record<Told['status'], WebhookEventType>>> = {
  completed: 'experiment.completed',
  failed: 'experiment.failed',
  cancelled: 'experiment.cancelled',
  paused: 'experiment.paused',
};

/** Tells webhooks the current status of an experiment, in the transaction that set the status. */
export async function tellOfExperiment(db: Kysely<StateSchema>, row: Told, nowMs: number): Promise<void> {
  const type = typeOf[row.status];
  if (type === undefined) return;
  const { id, org_id: orgId, name, status, total_runs, error } = row;
  // An experiment can be paused many times but ends once.
  const eventId = status === 'paused' ? `${id}:paused:${nowMs}` : `${id}:${status}`;
  const data = { experiment_id: id, name, status, total_runs, error };
  await enqueueWebhookEvent(db, { id: eventId, type, orgId, atMs: nowMs, data });
}
