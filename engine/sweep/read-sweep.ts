import { mustBe } from '../errors.js';
import { HOUR_MS, tryParseInterval } from '../series/intervals.js';
import type { Signal } from '../signals/signal.js';
import { GROUPS_MAX, generatedColumn } from '../strategy/index.js';
import type {
  Nameable,
  RandomSignals,
  Selection,
  SideSelection,
  SweepComposition,
  SweepDataset,
  SweepDefinition,
  SweepReading,
  WalkForwardSettings,
} from './definition.js';
import { HELD_OUT_DAYS_MAX } from './held-out.js';
import { madeOf } from './made-of.js';
import { Problems, type UnknownKeys } from './problems.js';
import { readSieveUse } from './read-sieve-use.js';
import { columnsOfSignal, readConstraints, readSignal } from './read-signal.js';
import { readTpe } from './read-tpe.js';
import { readVariants, warnOfIdleAxes } from './read-variants.js';
import type { SweepSignal } from './signal-space.js';
import { foldsOf, readWalkForward, type SeriesToFold } from './walk-forward.js';

type Json = Readonly<Record<string, unknown>>;

const SWEEP_KEYS = [
  ...['name', 'description', 'notes', 'code_version', 'seed', 'search_mode', 'kind', 'datasets', 'entry_signals'],
  ...['exit_signals', 'short_entry_signals', 'short_exit_signals', 'grid_signals', 'holdout', 'n_random'],
  ...['random_signals', 'tpe', 'execution_config', 'pre_filter', 'sieve', 'walk_forward', 'window'],
  'workers_per_dataset',
];
/** A dataset as the catalogue lists it. */
const DATASET_KEYS = ['asset', 'timeframe', 'file', 'hash', 'rows', 'start_date', 'end_date', 'columns', 'window'];
const SELECTION_KEYS = ['triggers', 'filters', 'min_filters', 'max_filters', 'constraints'];
const DEFAULT_SEED = 42;
const DEFAULT_THRESHOLD = 0.8;
const NAME_MAX = 200;
const WORKERS_MAX = 16;
const SAVED_FILTERS_MAX = 1;
const FEW_ROWS = 500;
const randomDefaults: RandomSignals = {
  min_entry_filters: 1,
  max_entry_filters: 2,
  min_exit_triggers: 0,
  max_exit_triggers: 1,
  min_exit_filters: 0,
  max_exit_filters: 2,
};

/**
 * Reads the configuration of a sweep and lists every error in it, not only the first.
 * @param findDataset finds the dataset of an entry of `datasets`; throws an EngineError for an
 *   unknown one
 * @param barsOf loads the bars of a dataset; without it, a walk-forward sweep has no folds yet
 * @param own signals of the author's own that the rules may name
 * @param unknownKeys what becomes of keys that nothing reads
 * @param composition `relaxed` takes entries without a filter, and weeks, as a backtest does; the
 *   service keeps the documented rules
 */
export function readSweep(
  json: unknown,
  findDataset: (entry: Json) => SweepDataset,
  barsOf?: (dataset: SweepDataset) => SeriesToFold,
  own: readonly Signal[] = [],
  unknownKeys?: UnknownKeys,
  composition: SweepComposition = 'documented',
): SweepReading {
  const problems = new Problems(unknownKeys);
  if (!isRecord(json)) {
    return { definition: null, errors: [mustBe('a sweep', 'an object', json)], warnings: [] };
  }
  problems.unknown('sweep', json, SWEEP_KEYS);
  const mode = json.search_mode ?? 'grid';
  if (mode !== 'grid' && mode !== 'random' && mode !== 'tpe') {
    problems.error(mustBe('search_mode', 'grid, random or tpe', mode));
  }
  if ((json.kind ?? 'single') !== 'single') problems.error(mustBe('kind', 'single', json.kind));
  const datasets = readDatasets(json.datasets, findDataset, problems);
  const read = (place: string) => readSide(place, json[place], { datasets, own, composition }, problems);
  const entry = read('entry_signals');
  const exit = read('exit_signals');
  const short = readShort(json, read, problems);
  if (mode === 'grid' || mode === 'tpe') checkGrid(json, { entry, exit, short }, composition, problems);
  const sides = short === null ? [entry, exit] : [entry, exit, short.entry, short.exit];
  const walkForward = readWalkForward(json.walk_forward, problems);
  // biome-ignore lint/style/noNonNullAssertion: the timeframes were read before
  const known = [...new Set(datasets.map(({ timeframe }) => tryParseInterval(timeframe)!))];
  // With some interval, wrong settings are told beside wrong datasets.
  const intervals = known.length === 0 ? [HOUR_MS] : known;
  const definition: SweepDefinition = {
    name: readName(json.name, problems),
    seed: problems.integer('seed', json.seed ?? DEFAULT_SEED, 0, Number.MAX_SAFE_INTEGER),
    mode: mode === 'random' || mode === 'tpe' ? mode : 'grid',
    datasets: (walkForward === null || barsOf === undefined
      ? datasets
      : readFolds(datasets, walkForward, barsOf, problems)
    ).map(readOnly(sides.flat())),
    walkForward,
    entry,
    exit,
    short,
    combinationCount: readCombinationCount(json.grid_signals, problems),
    sampleCount: mode === 'random' ? problems.integer('n_random', json.n_random, 1, Number.MAX_SAFE_INTEGER) : 0,
    randomSignals: readRandomSignals(json.random_signals, problems),
    tpe: mode === 'tpe' ? readTpe(json, problems) : null,
    variants: readVariants(json.execution_config, intervals, problems),
    preFilter: readPreFilter(json.pre_filter, problems),
    sieve: readSieveUse(json.sieve, mode, problems),
  };
  if (definition.sieve !== null) refuseUnlearned(sides, problems);
  warnOfIdle(json, definition, problems);
  if (json.holdout !== undefined) problems.integer('holdout', json.holdout, 1, HELD_OUT_DAYS_MAX);
  problems.integer('workers_per_dataset', json.workers_per_dataset ?? 1, 1, WORKERS_MAX);
  warnOfGenerated(definition.datasets, problems);
  const { errors, warnings } = problems;
  if (errors.length === 0) warnOfIdleAxes(definition.variants, intervals[0], short !== null, problems);
  if (errors.length === 0) for (const { words, isWhole } of madeOf(definition)) if (!isWhole) problems.warn(words);
  return { definition: errors.length === 0 ? definition : null, errors, warnings };
}

/** The search that reads a key; in others it has no effect. */
const keysOfModes = { tpe: 'tpe', n_random: 'random', random_signals: 'random', grid_signals: 'grid' } as const;

/** Names what does not act in the search of a sweep. */
function warnOfIdle(json: Json, { mode, short }: SweepDefinition, problems: Problems): void {
  const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
  for (const [key, own] of Object.entries(keysOfModes)) {
    if (own !== mode && isGiven(json[key])) problems.warn(`${key} is for search_mode ${own}, ignored`);
  }
  if (mode !== 'random') return;
  const sides = ['entry', 'exit', ...(short === null ? [] : ['short_entry', 'short_exit'])];
  for (const side of sides) {
    for (const { place, json: written } of writtenGroups(`${side}_signals`, json[`${side}_signals`])) {
      const idle = ['min_filters', 'max_filters'].filter((key) => isRecord(written) && isGiven(written[key]));
      if (idle.length === 0) continue;
      const counts = `min_${side.replace('short_', '')}_filters and max_${side.replace('short_', '')}_filters`;
      const are = `${idle.join(' and ')} ${idle.length === 1 ? 'is' : 'are'}`;
      problems.warn(`${place}: ${are} for search_mode grid or tpe, ignored; random_signals.${counts} count here`);
    }
  }
}

const isRecord = (json: unknown): json is Json => typeof json === 'object' && json !== null && !Array.isArray(json);

function readName(name: unknown, problems: Problems): string {
  if (typeof name === 'string' && name.length >= 1 && name.length <= NAME_MAX) return name;
  problems.error(mustBe('name', `a text of 1..${NAME_MAX} characters`, name));
  return '';
}

/** The sieve knows plain rules of the long side only. */
function refuseUnlearned(sides: readonly SideSelection[], problems: Problems): void {
  const learns = (what: string) => problems.error(`sieve has not learned from ${what}`);
  if (sides.length > 2) learns('short_entry_signals');
  if (sides.some((groups) => groups.length > 1)) learns('any');
  const signals = sides.flat().flatMap(({ triggers, filters }) => [...triggers, ...filters]);
  const reached = signals.find(({ reach }) => reach !== undefined);
  if (reached !== undefined) learns(`negate, within_bars and asset, which ${reached.signal.name} uses`);
}

function readDatasets(json: unknown, find: (entry: Json) => SweepDataset, problems: Problems): SweepDataset[] {
  if (!Array.isArray(json) || json.length === 0) {
    problems.error(mustBe('datasets', 'a list with at least 1 dataset', json));
    return [];
  }
  return json.flatMap((entry: unknown, i) => {
    const place = `datasets[${i}]`;
    if (!isRecord(entry)) {
      problems.error(mustBe(place, 'a whole dataset object', entry));
      return [];
    }
    problems.unknown(place, entry, DATASET_KEYS);
    const dataset = problems.attempt(place, () => find(entry));
    if (dataset !== undefined && dataset.rows < FEW_ROWS) problems.warn(`${place} has only ${dataset.rows} bars`);
    return dataset === undefined ? [] : [dataset];
  });
}

/** Drops the hashes of added columns that no rule reads: they do not matter to the sweep. */
function readOnly(sides: readonly Selection[]): (dataset: SweepDataset) => SweepDataset {
  const read = new Set(sides.flatMap(({ triggers, filters }) => [...triggers, ...filters].flatMap(columnsOfSignal)));
  return (dataset) => ({
    ...dataset,
    added: Object.fromEntries(Object.entries(dataset.added).filter(([name]) => read.has(name))),
  });
}

function warnOfGenerated(datasets: readonly SweepDataset[], problems: Problems): void {
  const read = datasets.flatMap(({ asset, added, generated = [], notes = [] }) => [
    ...notes,
    ...generated.filter((column) => column in added).map((column) => generatedColumn(column, asset)),
  ]);
  for (const warning of new Set(read)) problems.warn(warning); // folds of one dataset warn once
}

const isOfSeries = (a: SweepDataset, b: SweepDataset): boolean => a.asset === b.asset && a.timeframe === b.timeframe;

function readFolds(
  datasets: readonly SweepDataset[],
  settings: WalkForwardSettings,
  barsOf: (dataset: SweepDataset) => SeriesToFold,
  problems: Problems,
): SweepDataset[] {
  const twice = datasets.find(
    (one, i) => one.window !== undefined && datasets.findIndex((other) => isOfSeries(one, other)) < i,
  );
  if (twice !== undefined) {
    problems.error(`walk_forward must have one window of ${twice.asset} ${twice.timeframe}: its folds are windows`);
    return [];
  }
  return datasets.flatMap((dataset, source) => foldsOf(dataset, source, barsOf(dataset), settings, problems));
}

/** `{triggers, filters}`, or `{any: [{triggers, filters}, ...]}`. */
function readSide(place: string, json: unknown, nameable: Nameable, problems: Problems): SideSelection {
  const isEntry = place.endsWith('entry_signals');
  const isChoice = isRecord(json) && Object.hasOwn(json, 'any');
  if (!isChoice) return [readSelection(place, json, isEntry, nameable, problems)];
  problems.unknown(place, json, ['any']);
  const { any } = json;
  if (!Array.isArray(any) || any.length === 0 || any.length > GROUPS_MAX) {
    problems.error(mustBe(`${place}.any`, `1 to ${GROUPS_MAX} objects {triggers, filters}`, any));
    return [readSelection(place, {}, isEntry, nameable, problems)];
  }
  return any.map((group, i) => readSelection(`${place}.any[${i}]`, group, isEntry, nameable, problems));
}

/** The groups of a side as written, with their places. */
function writtenGroups(place: string, json: unknown): { readonly place: string; readonly json: unknown }[] {
  const any = isRecord(json) ? json.any : undefined;
  if (!Array.isArray(any)) return [{ place, json }];
  return any.map((group, i) => ({ place: `${place}.any[${i}]`, json: group }));
}

function readSelection(
  place: string,
  json: unknown,
  isEntry: boolean,
  nameable: Nameable,
  problems: Problems,
): Selection {
  const { composition } = nameable;
  if (json !== undefined && json !== null && !isRecord(json)) {
    problems.error(mustBe(place, 'an object {triggers, filters}', json));
  }
  const record = isRecord(json) ? json : {};
  problems.unknown(place, record, SELECTION_KEYS);
  const listed = readConstraints(`${place}.constraints`, record.constraints, problems);
  const read = (key: 'triggers' | 'filters', role: 'TRIGGER' | 'FILTER'): SweepSignal[] => {
    const list = record[key] ?? [];
    if (!Array.isArray(list)) problems.error(mustBe(`${place}.${key}`, 'a list', list));
    return (Array.isArray(list) ? list : []).flatMap((item, i) => {
      return readSignal(`${place}.${key}[${i}]`, item, role, listed, nameable, problems) ?? [];
    });
  };
  const triggers = read('triggers', 'TRIGGER');
  const filters = read('filters', 'FILTER');
  const filterCount = Array.isArray(record.filters) ? record.filters.length : 0;
  const needsFilter = isEntry && (composition === 'documented' || filterCount > 0);
  const defaultMax = needsFilter || filterCount > 0 ? 1 : 0;
  const filterMin = problems.integer(`${place}.min_filters`, record.min_filters ?? (needsFilter ? 1 : 0), 0, 1_000);
  const filterMax = problems.integer(
    `${place}.max_filters`,
    record.max_filters ?? Math.max(defaultMax, filterMin),
    0,
    1_000,
  );
  if (!isEntry && filterCount > 0 && triggers.length === 0) {
    problems.error(`${place}: a filter needs a trigger beside it`);
  }
  return { triggers, filters, filterMin, filterMax };
}

/** The rules of the short side; null without an entry. */
function readShort(json: Json, read: (place: string) => SideSelection, problems: Problems): SweepDefinition['short'] {
  const isGiven = (place: string) => json[place] !== undefined && json[place] !== null;
  if (isGiven('short_entry_signals')) return { entry: read('short_entry_signals'), exit: read('short_exit_signals') };
  if (isGiven('short_exit_signals')) problems.error('short_exit_signals needs short_entry_signals');
  return null;
}

/**
 * Checks what a grid or tpe search needs. A random search needs less: the registry fills the rest.
 */
function checkGrid(
  json: Json,
  { entry, exit, short }: Pick<SweepDefinition, 'entry' | 'exit' | 'short'>,
  composition: SweepComposition,
  problems: Problems,
): void {
  const listed = (side: unknown, key: string): number => {
    const list = isRecord(side) ? side[key] : undefined;
    return Array.isArray(list) ? list.length : 0;
  };
  const isStrict = composition === 'documented';
  const groupsAt = (place: string, side: SideSelection) =>
    // A choice that could not be read has one group without a place of its own.
    writtenGroups(place, json[place])
      .slice(0, side.length)
      .map((group, i) => ({ ...group, side: side[i] }));
  const isLong = entry.length > 1 || listed(json.entry_signals, 'triggers') > 0;
  const needsLong = isLong || short === null;
  for (const group of groupsAt('entry_signals', entry)) {
    const isMissing = listed(group.json, 'triggers') === 0;
    if (isMissing && (needsLong || listed(group.json, 'filters') > 0))
      problems.error(`${group.place}.triggers must have at least 1 TRIGGER`);
  }
  const shortEntries = short === null ? [] : groupsAt('short_entry_signals', short.entry);
  const entries = [...(needsLong ? groupsAt('entry_signals', entry) : []), ...shortEntries];
  for (const { place, json: written } of isStrict ? entries : []) {
    if (listed(written, 'filters') === 0) problems.error(`${place}.filters must have at least 1 FILTER`);
  }
  for (const { place, side } of isStrict ? entries : []) {
    if (side.filterMin < 1) problems.error(`${place}.min_filters must be 1 or more, was ${side.filterMin}`);
  }
  const exits = [groupsAt('exit_signals', exit), short === null ? [] : groupsAt('short_exit_signals', short.exit)];
  for (const group of [...shortEntries, ...exits.flatMap((groups) => (groups.length > 1 ? groups : []))]) {
    // A group without rules would never hold.
    if (listed(group.json, 'triggers') === 0) problems.error(`${group.place}.triggers must have at least 1 TRIGGER`);
  }
  for (const { place, json: written, side } of [
    ...groupsAt('entry_signals', entry),
    ...exits[0],
    ...shortEntries,
    ...exits[1],
  ]) {
    const count = listed(written, 'filters');
    if (side.filterMin > side.filterMax) {
      problems.error(
        `${place}.min_filters must be at most max_filters, was ${side.filterMin} against ${side.filterMax}`,
      );
    }
    if (side.filterMax > count && side.filterMax > 0 && (count > 0 || !isStrict || place.endsWith('exit_signals'))) {
      problems.error(`${place}.max_filters must be at most the ${count} listed, was ${side.filterMax}`);
    }
    if (side.filterMax > SAVED_FILTERS_MAX) {
      problems.warn(`${place}: a saved strategy may have at most ${SAVED_FILTERS_MAX} filter per side`);
    }
  }
}

function readCombinationCount(json: unknown, problems: Problems): number | null {
  if (json === undefined || json === null) return null;
  if (!isRecord(json)) {
    problems.error(mustBe('grid_signals', 'an object {n_param_combos}', json));
    return null;
  }
  problems.unknown('grid_signals', json, ['n_param_combos']);
  const count = json.n_param_combos ?? null;
  return count === null ? null : problems.integer('grid_signals.n_param_combos', count, 1, Number.MAX_SAFE_INTEGER);
}

function readRandomSignals(json: unknown, problems: Problems): RandomSignals {
  if (json === undefined || json === null) return randomDefaults;
  if (!isRecord(json)) {
    problems.error(mustBe('random_signals', 'an object of counts', json));
    return randomDefaults;
  }
  problems.unknown('random_signals', json, Object.keys(randomDefaults));
  const counts = Object.fromEntries(
    Object.entries(randomDefaults).map(([name, value]) => {
      const max = name.endsWith('exit_triggers') ? 1 : 1_000;
      return [name, problems.integer(`random_signals.${name}`, json[name] ?? value, 0, max)];
    }),
  ) as Record<keyof RandomSignals, number>;
  for (const [min, max] of [
    ['min_entry_filters', 'max_entry_filters'],
    ['min_exit_triggers', 'max_exit_triggers'],
    ['min_exit_filters', 'max_exit_filters'],
  ] as const) {
    if (counts[min] > counts[max]) {
      problems.error(`random_signals.${min} must be at most ${max}, was ${counts[min]} against ${counts[max]}`);
    }
  }
  return counts;
}

function readPreFilter(json: unknown, problems: Problems) {
  const record = isRecord(json) ? json : {};
  if (json !== undefined && json !== null && !isRecord(json)) {
    problems.error(mustBe('pre_filter', 'an object {enabled, confidence_threshold}', json));
  }
  problems.unknown('pre_filter', record, ['enabled', 'confidence_threshold']);
  const { enabled = true, confidence_threshold: threshold = DEFAULT_THRESHOLD } = record;
  if (typeof enabled !== 'boolean') problems.error(mustBe('pre_filter.enabled', 'true or false', enabled));
  if (!(Number.isFinite(threshold) && Number(threshold) >= 0 && Number(threshold) <= 1)) {
    problems.error(mustBe('pre_filter.confidence_threshold', '0..1', threshold));
  }
  return { enabled: enabled === true, confidence_threshold: Number(threshold) };
}
