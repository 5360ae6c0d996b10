import type { Database } from '../open-state.js';

/** Result rows of the runs `runFrom` to `runTo` (exclusive), which are in one file. */
export interface CorpusPart {
  readonly experimentId: string;
  readonly runFrom: number;
  readonly runTo: number;
}

/**
 * The committed parts of an organization, by experiment and run: all that its members may read, at
 * one moment.
 * @param experimentIds null for all experiments; another organization's are as unknown ones
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
