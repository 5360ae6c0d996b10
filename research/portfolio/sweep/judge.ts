import { amongRankable, bestFirst, queryResults, type ResultTable } from '../../../data/sweeps/index.js';
import type { TriesLedger } from '../../../data/tries/index.js';
import type { Assessment, Ranking, SearchPower } from '../../../engine/sweep/index.js';
import type { RunServices } from '../../backtest/run-backtest.js';
import { judgedRuns } from '../../sweep/judged-runs.js';
import {
  assessPortfolioSweep,
  portfolioPower,
  portfoliosRankedBy,
  recordJudgedPortfolios,
  recordPortfolioTries,
} from './assess.js';
import { type PortfolioSweepOutcome, type PortfolioSweepRequest, runPortfolioSweep } from './run.js';

export interface JudgedPortfolioSweep {
  readonly outcome: PortfolioSweepOutcome;
  /** What edge the sweep could find at all. */
  readonly power: SearchPower | null;
  /** The ranking metric: the metric of a walk forward, or the one asked for. */
  readonly ranking: Ranking;
  /** Null where no portfolio traded. */
  readonly honesty: Assessment | null;
}

/**
 * Runs a sweep of portfolios, or the rest of it, judges it, and adds its tries to the ledger.
 * @param onPower hears before the first run what the sweep could find
 * @throws EngineError as `runPortfolioSweep` does
 */
export async function judgedPortfolioSweep(
  request: Omit<PortfolioSweepRequest, 'onPlanned' | 'ranking'> & { readonly ranking: Ranking },
  ledger: TriesLedger,
  services: RunServices,
  onPower: (power: SearchPower) => void = () => {},
): Promise<JudgedPortfolioSweep> {
  let power: SearchPower | null = null;
  const outcome = await runPortfolioSweep(
    {
      ...request,
      async onPlanned(prepared, folder) {
        power = await portfolioPower(prepared, folder, ledger);
        if (power !== null) onPower(power);
      },
    },
    services,
  );
  const { prepared, done, folder } = outcome;
  const { minTrades } = request.ranking;
  const ranking = { by: portfoliosRankedBy(prepared, request.ranking.by), minTrades };
  const { totalRuns, datasets } = prepared;
  const runs = await judgedRuns({ folder, totalRuns, datasets, kept: outcome.runs }, ranking.by);
  const before = await recordPortfolioTries(prepared, runs, ledger);
  const options = { minTrades, before, runs };
  const honesty = done === 0 ? null : await assessPortfolioSweep(prepared, folder, ranking.by, options);
  await recordJudgedPortfolios(prepared, honesty, ledger);
  return { outcome, power, ranking, honesty };
}

/** Columns of the best portfolios that traded, of the newest window, best first. */
export const bestPortfolios = (
  { folder }: PortfolioSweepOutcome,
  ranking: Ranking,
  top: number,
  columns = '*',
): Promise<ResultTable> =>
  queryResults([folder], amongRankable(`SELECT ${columns} FROM results ORDER BY ${bestFirst(ranking)} LIMIT ${top}`));
