import { openSweepFolder, queryResults, sqlText } from '../../data/sweeps/index.js';
import { EngineError } from '../../engine/errors.js';
import { settingsOfRow } from '../../engine/sweep/index.js';
import { clip } from '../../engine/text.js';
import { withDefaultCosts } from '../portfolio/settings.js';
import { isPortfolioSweep, readPortfolioPlan } from '../portfolio/sweep/plan.js';

/** What a run of a sweep was, to be run again as it is. */
export interface RunDefinition {
  readonly experiment_id: string;
  readonly run: number;
  readonly config_hash: string;
  /** Length of a bar, such as `1h`. */
  readonly interval: string;
  /** First and last day, both traded. */
  readonly start: string;
  readonly end: string;
  /**
   * Rules, asset, costs and every setting, as the file of a strategy holds them; absent in a sweep of
   * portfolios.
   */
  readonly strategy?: Readonly<Record<string, unknown>>;
  /** The portfolio, as its file holds it; absent in a sweep of strategies. */
  readonly portfolio?: Readonly<Record<string, unknown>>;
}

type Json = Readonly<Record<string, unknown>>;

/** What of the record of a sweep tells how its runs differ. */
interface Plan extends Json {
  readonly name?: unknown;
  readonly execution_config?: unknown;
}

/** Characters that the name of a stored strategy may have. */
const NAME_MAX = 200;
const ruleLists = ['entry', 'exit', 'short_entry', 'short_exit'] as const;

/**
 * The definitions of rows, in the order of their sweeps and runs.
 * @param where SQL condition that chooses the rows
 */
export async function runDefinitions(folders: readonly string[], where: string): Promise<RunDefinition[]> {
  const found: RunDefinition[] = [];
  for (const folder of folders) {
    const { columns, rows } = await queryResults([folder], `SELECT * FROM results WHERE ${where} ORDER BY run_index`);
    if (rows.length === 0) continue;
    const { sweep } = ((await openSweepFolder(folder).readRecord()) ?? {}) as { readonly sweep?: Plan };
    if (sweep === undefined) throw new EngineError('INVALID_DATA', `the record of the sweep in ${folder} is missing`);
    const portfolios = isPortfolioSweep(sweep) ? readPortfolioPlan(sweep) : null;
    for (const cells of rows) {
      const row = Object.fromEntries(columns.map((name, i) => [name, cells[i]]));
      const run = Number(row.run_index);
      found.push({
        ...{ experiment_id: String(row.experiment_id), run, config_hash: String(row.config_hash) },
        ...{ interval: String(row.timeframe), start: String(row.start_date), end: String(row.end_date) },
        ...(portfolios === null
          ? { strategy: strategyOfRow(sweep, row) }
          : {
              portfolio: {
                ...withDefaultCosts(portfolios.portfolioAt(run % portfolios.combinations) as Json),
                interval: row.timeframe,
              },
            }),
      });
    }
  }
  return found;
}

/**
 * The definition of one run.
 * @param id its number, where one sweep is asked, or its `config_hash`
 * @throws EngineError NOT_FOUND, or CONFLICT for a number that several sweeps have
 */
export async function findDefinition(folders: readonly string[], id: string): Promise<RunDefinition> {
  const isNumber = /^\d{1,10}$/.test(id);
  const found = await runDefinitions(folders, isNumber ? `run_index = ${id}` : `config_hash = ${sqlText(id)}`);
  const [first] = found;
  if (first === undefined) {
    throw new EngineError('NOT_FOUND', `no row of ${folders.length === 1 ? 'the sweep' : 'any sweep'} is run ${id}`, {
      field: 'definition',
    });
  }
  if (isNumber && found.length > 1) {
    throw new EngineError('CONFLICT', `${found.length} sweeps have a run ${id}: name one, or give the config_hash`, {
      field: 'definition',
    });
  }
  return first;
}

/** The rules of a row, its asset, and every setting. */
function strategyOfRow(sweep: Plan, row: Json): Json {
  const lists = ruleLists.flatMap((side) => {
    const rules = row[`${side}_json`];
    // A side without rules is left out, as in a strategy that only sells short.
    return typeof rules === 'string' && rules !== '' && rules !== '[]' ? [[side, JSON.parse(rules)] as const] : [];
  });
  const words = `, run ${String(row.run_index)}`;
  return {
    name: `${clip(String(sweep.name ?? 'sweep'), NAME_MAX - words.length)}${words}`,
    asset: row.asset,
    ...Object.fromEntries(lists),
    execution_config: settingsOfRow(sweep.execution_config, row),
  };
}

/** The command that repeats a run from the file that holds its definition. */
export const commandFor = ({ portfolio, interval, start, end }: RunDefinition, file: string): string =>
  portfolio === undefined
    ? `barline backtest --strategy ${file} --interval ${interval} --start ${start} --end ${end}`
    : `barline portfolio ${file} --start ${start} --end ${end}`;
