import { triedIn } from '../../data/sweeps/index.js';
import type { TriesLedger } from '../../data/tries/index.js';
import { DAY_MS } from '../../engine/series/index.js';
import { findableEdge } from '../../engine/statistics/index.js';
import {
  ASSESSMENT_P_MAX,
  type SearchPower,
  type SweepDataset,
  type SweepDefinition,
  unrelatedBefore,
} from '../../engine/sweep/index.js';
import { earlierOn } from './assess-sweep.js';
import type { PreparedSweep } from './prepare-sweep.js';

/**
 * The smallest edge that a sweep could find at all, by dataset, known before a run: the edge that
 * as many unrelated tries as it makes and as the ledger has show by luck. A sweep that walks
 * forward is judged by its newest training window. Where it repeats tries of another sweep, they
 * count twice.
 *
 * @param folder of the sweep, whose rows are not earlier tries; it may hold none yet
 */
export async function searchPower(
  { definition, plan, loaded }: PreparedSweep,
  folder: string,
  ledger: TriesLedger,
): Promise<SearchPower[]> {
  const { datasets } = definition;
  const own = await triedIn(folder);
  const sweeps = await ledger.sweeps();
  const tries = Math.ceil(plan.totalRuns / datasets.length);
  const found: SearchPower[] = [];
  for (const [source, { dataset, bars }] of loaded.entries()) {
    const { asset, timeframe } = dataset;
    const judged = datasets.findLast(({ fold }) => fold?.source === source) ?? dataset;
    const years = datasetDays(judged) / definition.variants.config(0, bars.intervalMs).trading_days_per_year;
    const before = { tries: new Map([[asset, await ledger.read(asset)]]), sweeps };
    const earlier = earlierOn(asset, definition, new Set(own.get(asset)), before);
    const unrelated = Math.max(1, unlearned(definition, tries) + unrelatedBefore(earlier, 1));
    found.push({
      ...{ asset, timeframe, ...(dataset.window && { window: dataset.window }), tries, years },
      earlierTries: earlier.earlier,
      ...findableEdge(unrelated, years, ASSESSMENT_P_MAX / (1 + earlier.otherAssets)),
    });
  }
  return found;
}

/** A search that learns tries more where it found luck, see `assessLeader`. */
const unlearned = ({ tpe }: SweepDefinition, tries: number): number =>
  tpe === null ? tries : tpe.startupTrials + Math.max(0, tries - tpe.startupTrials) / tpe.goodFraction;

const datasetDays = ({ start_date, end_date }: SweepDataset): number =>
  (Date.parse(end_date) - Date.parse(start_date)) / DAY_MS + 1;
