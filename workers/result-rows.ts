// biome-ignore-all lint/style/noNonNullAssertion: a result has one value per run, and every run has an entry rule
import { openSweepFolder, type PartRows, RETURNS_COLUMN } from '../data/sweeps/index.js';
import type { BytesColumn, TableColumn } from '../data/tables/index.js';
import {
  type FullConfig,
  fullConfig,
  type PositionFieldName,
  positionColumns,
  type SettingColumn,
  settingColumns,
} from '../engine/execution/index.js';
import { type MetricName, metricNames } from '../engine/metrics/index.js';
import { parseInterval } from '../engine/series/index.js';
import {
  type AxisColumn,
  rulesText,
  type SweepDataset,
  type SweepDefinition,
  type SweepPlan,
  type SweepRun,
} from '../engine/sweep/index.js';
import { type ChunkResult, type RowSetup, runStatuses } from './sweep-protocol.js';

/** What all rows of a chunk share. */
interface RowContext extends RowSetup {
  readonly definition: SweepDefinition;
  readonly plan: SweepPlan;
  readonly completedMs: number;
}

/** One run, as its row is written. */
interface Row {
  readonly index: number;
  readonly run: SweepRun;
  readonly context: RowContext;
  readonly result: ChunkResult;
  /** Index of the run in the chunk. */
  readonly place: number;
  readonly entryText: string;
  readonly exitText: string;
  /** Of the short side; empty texts in a sweep that is long only. */
  readonly shortEntryText: string;
  readonly shortExitText: string;
}

/** What runs of the same dataset and variant share. */
interface Setup {
  readonly dataset: SweepDataset;
  readonly btcReturn: number | null;
  readonly config: FullConfig;
  /** The settings as their author would write them. */
  readonly written: Readonly<Record<string, unknown>>;
  readonly context: RowContext;
}

type Cell = string | number | boolean | null;
type Type = TableColumn['type'];
type Field = { readonly name: string; readonly type: Type } & (
  | { readonly own: (row: Row) => Cell }
  | { readonly shared: (setup: Setup) => Cell }
  /** Index in the metric table. */
  | { readonly metric: number }
);

const settingTypes = {
  number: 'double',
  integer: 'integer',
  boolean: 'boolean',
  enum: 'text',
  interval: 'text',
  pairs: 'text',
} as const satisfies Readonly<Record<SettingColumn['kind'], Type>>;

const own = (name: string, type: Type, of: (row: Row) => Cell): Field => ({ name, type, own: of });
const shared = (name: string, type: Type, of: (setup: Setup) => Cell): Field => ({ name, type, shared: of });
const settingField = ({ name, kind, setting }: SettingColumn): Field =>
  shared(name, settingTypes[kind], ({ config }) => {
    const value = config[setting];
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  });
const metrics = (type: Type, ...names: MetricName[]): Field[] =>
  names.map((name) => ({ name, type, metric: metricNames.indexOf(name) }));

/** The value inside a setting that an axis varies; all of these are numbers. */
const axisField = ({ name, path }: AxisColumn): Field =>
  shared(name, 'double', ({ written }) => {
    const value = path.reduce<unknown>((at, key) => (at as Readonly<Record<string, unknown>> | null)?.[key], written);
    return typeof value === 'number' ? value : null;
  });

/** A number made of seed and run, for information. Null if a double cannot hold it exactly. */
function rngSeed({ context, index }: Row): number | null {
  const seed = context.definition.seed * 1_000_000 + index;
  return Number.isSafeInteger(seed) ? seed : null;
}

/** Of the long side, or of the short side alone. */
const triggerName = ({ entry, short }: SweepRun): string => (entry[0] ?? short!.entry[0]!).space.definition.signal.name;

const strategyName = ({ run, index }: Row): string =>
  `exp_${run.dataset.asset}_${run.dataset.timeframe}_${triggerName(run)}_${index}`;

const shortRuleFields = [
  own('short_entry_json', 'text', ({ shortEntryText }) => shortEntryText),
  own('short_exit_json', 'text', ({ shortExitText }) => shortExitText),
];

/**
 * The columns of a result row, in order. Rates are fractions.
 * @param used settings of `positionFields` that the sweep uses; other sweeps have no column of them
 * @param hasShort whether the sweep has rules of the short side, likewise
 * @param axes axes that have a column of their own, likewise
 */
const rowFields = (
  used: readonly PositionFieldName[],
  hasShort: boolean,
  axes: readonly AxisColumn[],
): readonly Field[] => [
  shared('experiment_id', 'text', ({ context }) => context.experimentId),
  own('run_index', 'integer', ({ index }) => index),
  own('config_hash', 'text', ({ result, place: k }) => result.configHashes[k]!),
  shared('code_version', 'text', ({ context }) => context.engineVersion),
  own('rng_seed', 'integer', rngSeed),
  shared('data_file_path', 'text', ({ dataset }) => dataset.file),
  shared('data_file_hash', 'text', ({ dataset }) => dataset.hash),
  shared('data_file_rows', 'integer', ({ dataset }) => dataset.rows),
  own('strategy_name', 'text', strategyName),
  shared('asset', 'text', ({ dataset }) => dataset.asset),
  shared('timeframe', 'text', ({ dataset }) => dataset.timeframe),
  shared('start_date', 'text', ({ dataset }) => dataset.start_date),
  shared('end_date', 'text', ({ dataset }) => dataset.end_date),
  own('entry_json', 'text', ({ entryText }) => entryText),
  own('trigger_name', 'text', ({ run }) => triggerName(run)),
  own('num_entry_signals', 'integer', ({ run }) => run.entry.length),
  own('exit_json', 'text', ({ exitText }) => exitText),
  own('num_exit_signals', 'integer', ({ run }) => run.exit.length),
  ...(hasShort ? shortRuleFields : []),
  ...[...settingColumns, ...positionColumns(used)].map(settingField),
  ...axes.map(axisField),
  ...metrics('integer', 'total_trades'),
  ...metrics('double', 'win_rate', 'total_return', 'sharpe_ratio', 'sortino_ratio', 'max_drawdown'),
  ...metrics('integer', 'max_drawdown_duration'),
  ...metrics('double', 'calmar_ratio', 'gain_to_pain_ratio', 'irr_annualized', 'irr_daily', 'avg_daily_return'),
  ...metrics('integer', 'max_consecutive_wins', 'max_consecutive_losses', 'num_days'),
  ...metrics('double', 'net_pnl', 'starting_balance', 'ending_balance', 'profit_factor', 'expectancy'),
  ...metrics('double', 'avg_bars_held', 'exposure', 'total_fees', 'benchmark_asset_return'),
  shared('benchmark_btc_return', 'double', ({ btcReturn }) => btcReturn),
  own('status', 'text', ({ result, place: k }) => runStatuses[result.statuses[k]!]!),
  own('error_msg', 'text', ({ result, place: k }) => result.errors[k] ?? null),
  own('elapsed_seconds', 'double', ({ result, place: k }) => result.elapsedMs[k]! / 1_000),
  shared('completed_at', 'time', ({ context }) => context.completedMs),
];

/** The columns of every sweep. */
export const resultColumns: readonly string[] = rowFields([], false, []).map(({ name }) => name);

const DATES = ['start_date', 'end_date'];

/**
 * Writes the rows of a chunk as one part of the sweep. When it resolves, the part is complete on
 * disk.
 */
export function writeRows(result: ChunkResult, context: RowContext): Promise<void> {
  const { from, count } = result;
  return openSweepFolder(context.folder).writePart(from, from + count, resultRows(result, context));
}

function resultRows(result: ChunkResult, context: RowContext): PartRows {
  const { count, from, returns } = result;
  const { definition, plan, btcReturns } = context;
  const rowOf = new Int32Array(count);
  const places = new Map<string, number>();
  const setups: Setup[] = [];
  const fields = rowFields(
    definition.variants.positionFields(),
    definition.short !== null,
    definition.variants.axisColumns().filter(({ isOwn }) => isOwn),
  );
  const ownFields = fields.filter((field) => 'own' in field);
  const cells = ownFields.map(() => new Array<Cell>(count));
  const [entryTexts, exitTexts] = [new LatestRules(), new LatestRules()];
  const [shortEntryTexts, shortExitTexts] = [new LatestRules(), new LatestRules()];
  // Row by row, so that only the cells of a run stay in memory.
  for (let place = 0; place < count; place++) {
    const run = plan.run(from + place);
    const { dataset, datasetIndex, variant, entry, exit, short } = run;
    const [entryText, exitText] = [entryTexts.of(entry, dataset), exitTexts.of(exit, dataset)];
    const shortEntryText = short === undefined ? '' : shortEntryTexts.of(short.entry, dataset);
    const shortExitText = short === undefined ? '' : shortExitTexts.of(short.exit, dataset);
    const key = `${datasetIndex} ${variant}`;
    let setup = places.get(key);
    if (setup === undefined) {
      setup = setups.length;
      places.set(key, setup);
      const config = fullConfig(definition.variants.config(variant, parseInterval(dataset.timeframe)));
      const written = definition.variants.settings(variant);
      setups.push({ dataset, btcReturn: btcReturns[datasetIndex] ?? null, config, written, context });
    }
    rowOf[place] = setup;
    const texts = { entryText, exitText, shortEntryText, shortExitText };
    const row: Row = { index: from + place, run, context, result, place, ...texts };
    for (let k = 0; k < cells.length; k++) cells[k]![place] = ownFields[k]!.own(row);
  }
  const columns: (TableColumn | BytesColumn)[] = ownFields.map(
    ({ name, type }, k) => ({ name, type, values: cells[k] }) as TableColumn,
  );
  columns.push({ name: RETURNS_COLUMN, type: 'bytes', values: returns.map(toBytes) });
  const sharedColumns: TableColumn[] = [];
  for (const field of fields) {
    const { name, type } = field;
    if ('shared' in field) sharedColumns.push({ name, type, values: setups.map(field.shared) } as TableColumn);
    else if ('metric' in field) columns.push({ name, type, values: metricColumn(result, field.metric) } as TableColumn);
  }
  return {
    columns,
    shared: { rowOf, columns: sharedColumns },
    order: [...fields.map(({ name }) => name), RETURNS_COLUMN],
    dates: DATES,
  };
}

/** Caches the text of rules while consecutive runs share them, as neighbours mostly do. */
class LatestRules {
  #choices: SweepRun['entry'] | null = null;
  #dataset: SweepDataset | null = null;
  #text = '';

  of(choices: SweepRun['entry'], dataset: SweepDataset): string {
    if (choices !== this.#choices || dataset !== this.#dataset) this.#text = rulesText(choices, dataset);
    this.#choices = choices;
    this.#dataset = dataset;
    return this.#text;
  }
}

/** One metric of every run, NaN where it is not defined. */
function metricColumn({ metrics, count }: ChunkResult, metric: number): Float64Array {
  const column = new Float64Array(count);
  for (let k = 0; k < count; k++) column[k] = metrics[k * metricNames.length + metric]!;
  return column;
}

/** The bytes of the values, in the order of the machine: little-endian wherever Node runs. */
const toBytes = (values: Float32Array | null): Uint8Array | null =>
  values === null ? null : new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
