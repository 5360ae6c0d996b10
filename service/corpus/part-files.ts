import type { PartFile } from '../../data/corpus/index.js';
import { openSweepFolder } from '../../data/sweeps/index.js';
import { experimentFolder } from '../experiments/run-blocks.js';
import type { Database } from '../state/tables.js';

/**
 * The files of committed result rows that the members of an organization may read, by experiment
 * and run, as of one moment.
 * @param experimentIds null for all experiments; an id of another organization counts as unknown
 */
export async function partFiles(
  db: Database,
  folder: string,
  orgId: string,
  experimentIds: readonly string[] | null,
): Promise<PartFile[]> {
  if (experimentIds?.length === 0) return [];
  let query = db
    .selectFrom('experiment_parts')
    .innerJoin('experiments', 'experiments.id', 'experiment_parts.experiment_id')
    .where('experiments.org_id', '=', orgId);
  if (experimentIds !== null) query = query.where('experiments.id', 'in', experimentIds);
  const parts = await query
    .select(['experiment_id as experimentId', 'run_from as runFrom', 'run_to as runTo'])
    .orderBy('experiment_id')
    .orderBy('run_from')
    .execute();
  return parts.map(({ experimentId, runFrom, runTo }) => ({
    path: openSweepFolder(experimentFolder(folder, orgId, experimentId)).partPath(runFrom, runTo),
    experimentId,
    rows: runTo - runFrom,
  }));
}
