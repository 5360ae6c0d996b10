import type { Database } from '../state/tables.js';

/** A file with the result rows of the runs `runFrom` to `runTo` (exclusive). */
interface CorpusPart {
  readonly experimentId: string;
  readonly runFrom: number;
  readonly runTo: number;
}

/**
 * The committed parts that the members of an organization may read, by experiment and run, as of
 * one moment.
 * @param experimentIds null for all experiments; an id of another organization counts as unknown
 */
export async function corpusParts(
  db: Database,
  orgId: string,
  experimentIds: readonly string[] | null,
): Promise<readonly CorpusPart[]> {
  if (experimentIds?.length === 0) return [];
  let query = db
    .selectFrom('experiment_parts')
    .innerJoin('experiments', 'experiments.id', 'experiment_parts.experiment_id')
    .where('experiments.org_id', '=', orgId);
  if (experimentIds !== null) query = query.where('experiments.id', 'in', experimentIds);
  return query
    .select(['experiment_id as experimentId', 'run_from as runFrom', 'run_to as runTo'])
    .orderBy('experiment_id')
    .orderBy('run_from')
    .execute();
}
