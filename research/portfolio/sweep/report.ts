import { amongRankable, bestFirst, openSweepFolder, queryResults } from '../../../data/sweeps/index.js';
import type { MetricName } from '../../../engine/metrics/index.js';
import type { Assessment, SettingValue } from '../../../engine/sweep/index.js';
import type { SheetParameter, SheetRun, SweepSheet } from '../../../report/index.js';
import type { RunServices } from '../../backtest/run-backtest.js';
import { loadDistributions } from '../../sweep/distribution.js';
import { exploredRuns } from '../../sweep/explore-runs.js';
import { type Ask, metricReader, type ReadRow } from '../../sweep/read-row.js';
import { findDefinition } from '../../sweep/run-definition.js';
import { BEST_RUNS, countRuns } from '../../sweep/sheet-counts.js';
import { parsePortfolio } from '../definition.js';
import { definedSettings } from '../outline.js';
import { runPortfolio } from '../run-portfolio.js';
import { buildPortfolioSheet } from '../sheet.js';
import type { PortfolioAxis, PortfolioPlan } from './plan.js';
import type { PortfolioSweepOutcome, PreparedPortfolioSweep } from './run.js';

/**
 * The page data of a sweep of portfolios, finished or not: what the page of any sweep has, with the
 * account and the members of the portfolio that leads. Its memory is bounded as theirs is.
 *
 * @param by metric that ranks the portfolios, by which `honesty` judged
 */
export async function portfolioSweepReport(
  { folder, total, done, prepared, warnings, experimentId, planHash }: Omit<PortfolioSweepOutcome, 'runs'>,
  { by, minTrades }: { readonly by: MetricName; readonly minTrades: number },
  honesty: Assessment | null,
  services: RunServices,
): Promise<SweepSheet> {
  const { plan, whole } = prepared;
  const ask: Ask = (sql) => queryResults([folder], sql);
  const askShown: Ask = (sql) => ask(amongRankable(sql));
  const ran = await countRuns(ask, done);
  const hasTraded = ran.counts.ok > 0;
  const ranking = { by, minTrades };
  const name = `${whole.asset} ${whole.timeframe}`;
  const metrics = metricReader(by);
  const runs = async (where: string, limit: number): Promise<SheetRun[]> => {
    if (!hasTraded) return [];
    const columns = ['run_index', ...metrics.columns].join(', ');
    const sql = `SELECT ${columns} FROM results ${where} ORDER BY ${bestFirst(ranking)} LIMIT ${limit}`;
    return (await askShown(sql)).rows.map(([run, ...values]) => ({
      ...sheetRun(plan, Number(run)),
      ...{ run: Number(run), dataset: name, metrics: metrics.read(values) },
    }));
  };
  const explored = hasTraded
    ? await exploredRuns({ ask: askShown, ranking, columns: [] }, (rows) => sheetParameters(plan, rows))
    : null;
  const judged = honesty === null ? [] : [honesty];
  const distributions = explored === null ? new Map() : await loadDistributions(askShown, by, explored, judged);
  const record = ((await openSweepFolder(folder).readRecord()) ?? {}) as { readonly [key: string]: unknown };
  const leader = honesty === null ? null : ((await runs(`WHERE run_index = ${honesty.leader.run}`, 1))[0] ?? null);
  return {
    ...{ title: plan.name, by, minTrades, madeOf: [], total, done, counts: ran.counts, errors: ran.errors },
    datasets: [
      {
        ...{ name, startDate: whole.start_date, endDate: whole.end_date, bars: whole.rows },
        ...{ counts: ran.counts, leader, honesty, distribution: distributions.get(name) ?? null },
        definition: leader === null ? null : await findDefinition([folder], String(leader.run)),
      },
    ],
    account: null,
    explored,
    best: await runs('', BEST_RUNS),
    portfolio: leader === null ? undefined : buildPortfolioSheet(await runOfLeader(prepared, leader.run, services)),
    configuration: record.sweep ?? null,
    manifest: {
      ...{ experiment_id: experimentId, engine_version: record.engine_version ?? null, plan_hash: planHash },
      ...{ seed: plan.seed, combinations: plan.combinations, [`data ${name}`]: whole.hash },
    },
    warnings: [...new Set([...warnings, ...judged.flatMap((one) => one.warnings)])],
  };
}

/** The portfolio that leads, with its members and trades. */
function runOfLeader({ plan, windows }: PreparedPortfolioSweep, run: number, services: RunServices) {
  const window = windows[Math.floor(run / plan.combinations)] ?? {};
  const portfolio = plan.portfolioAt(run % plan.combinations);
  return runPortfolio({ portfolio, interval: plan.interval ?? undefined, window }, services);
}

/** What a portfolio of the plan is, without its results. */
function sheetRun(plan: PortfolioPlan, run: number): Omit<SheetRun, 'run' | 'dataset' | 'metrics'> {
  const combination = run % plan.combinations;
  const choices = { interval: plan.interval ?? undefined, window: {} };
  const definition = parsePortfolio(plan.portfolioAt(combination));
  const { fee_pct, slippage_pct } = definedSettings(definition, choices);
  const places = plan.axisPlaces(combination);
  return {
    ...{ entry: [], exit: [], feePct: fee_pct, slippagePct: slippage_pct },
    settings: Object.fromEntries(plan.axes.map((axis, a) => [axis.param, axisTexts(axis)[places[a] ?? 0]])),
  };
}

/** The values of an axis for people. */
const axisTexts = ({ values }: PortfolioAxis): (number | string)[] =>
  values.map((value) => (typeof value === 'number' ? value : valueText(value)));

const valueText = (value: SettingValue): string =>
  value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);

/** The axes that take more than one value among the runs of the rows. */
function sheetParameters(
  { axes, combinations, axisPlaces }: PortfolioPlan,
  rows: readonly ReadRow[],
): SheetParameter[] {
  const places = rows.map(([run]) => axisPlaces(Number(run) % combinations));
  return axes.flatMap((axis, a): SheetParameter[] => {
    const own = places.map((row) => row[a] ?? 0);
    // Numbers ascend; anything else stays in the order of the plan.
    const isNumeric = axis.values.every((value) => typeof value === 'number');
    const placeRank = (place: number): number => (isNumeric ? Number(axis.values[place]) : place);
    const order = [...new Set(own)].sort((i, j) => placeRank(i) - placeRank(j));
    if (order.length < 2) return [];
    const texts = axisTexts(axis);
    const codeOf = new Map(order.map((place, rank) => [place, rank + 1]));
    return [
      {
        name: axis.param,
        values: order.map((place) => (isNumeric ? (texts[place] as number) : String(texts[place]))),
        codes: Uint16Array.from(own, (place) => codeOf.get(place) ?? 0),
      },
    ];
  });
}
