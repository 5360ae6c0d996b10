import { findableEdge } from '../../engine/statistics/index.js';
import { ASSESSMENT_P_MAX } from '../../engine/sweep/index.js';
import type { ChainSetting, ChainVerdict } from './chains.js';
import type { DoorSetting, DoorVerdict } from './doors.js';
import type { Judgement, Setting } from './judge.js';
import {
  type DriftSetting,
  type DriftVerdict,
  foundAt,
  type PowerSetting,
  type PowerVerdict,
  powerYears,
} from './power.js';

/** A measurement: its setting, its seed, and what was found. */
export type Entry<Made, Found> = Made & { readonly seed: number; readonly found: Found };
type SweepEntry = Entry<Setting, Judgement>;

const BELIEF = 0.05;
/** Blocks of the document that a calibration writes. */
export type Block = 'calibration' | 'chains' | 'doors' | 'drift' | 'power' | 'styles';

const percent = (part: number, whole: number): string => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`);

/** Share of the entries in which a p-value that could be made is at most `bound`. */
function shareOf(
  entries: readonly SweepEntry[],
  test: 'luck' | 'market' | 'timing' | 'superior',
  bound = BELIEF,
): string {
  const values = entries.map(({ found }) => found[test]).filter((p) => p !== null);
  return percent(values.filter((p) => p <= bound).length, values.length);
}

/** A leader is believed when every test was made and passed. */
const isBelieved = ({ found }: SweepEntry): boolean => found.luck !== null && found.fails === null;
const believed = (entries: readonly SweepEntry[]): string => percent(entries.filter(isBelieved).length, entries.length);

const isNoise = ({ market }: Setting): boolean => market !== 'planted edge';

function grouped<T>(entries: readonly T[], nameOf: (entry: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const entry of entries) groups.set(nameOf(entry), [...(groups.get(nameOf(entry)) ?? []), entry]);
  return [...groups].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
}

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

/** The tables of `docs/assessment.md`. */
export function tablesOf(entries: readonly SweepEntry[]): string {
  const noise = entries.filter(isNoise);
  const edges = entries.filter((entry) => !isNoise(entry));
  const passes = (name: string, group: readonly SweepEntry[]) =>
    row([
      name,
      group.length,
      shareOf(group, 'luck'),
      shareOf(group, 'market'),
      shareOf(group, 'timing'),
      believed(group),
    ]);
  const header = (name: string) => [
    row([name, 'sweeps', 'luck', 'market', 'timing', 'all three']),
    '|---|--:|--:|--:|--:|--:|',
  ];
  const spread = (name: string, group: readonly SweepEntry[], test: 'luck' | 'superior') =>
    row([name, group.length, ...[0.05, 0.25, 0.5, 0.75, 0.95].map((bound) => shareOf(group, test, bound))]);
  return [
    `Without skill, shares of sweeps that pass at 5 % (${noise.length} sweeps):`,
    '',
    ...header('market'),
    ...grouped(noise, ({ market, hasCosts }) => `${market}, ${hasCosts ? 'with' : 'without'} costs`).map(
      ([name, group]) => passes(name, group),
    ),
    '',
    ...header('search'),
    ...grouped(noise, ({ search, tries }) => `${search}, ${tries} tries`).map(([name, group]) => passes(name, group)),
    '',
    'Without skill and costs, shares of sweeps with a p-value of at most that of the column:',
    '',
    row(['p-value', 'sweeps', '5 %', '25 %', '50 %', '75 %', '95 %']),
    '|---|--:|--:|--:|--:|--:|--:|',
    spread(
      '`superior_p`, of the best t-value',
      noise.filter(({ hasCosts, search }) => !hasCosts && search !== 'tpe'),
      'superior',
    ),
    ...grouped(
      noise.filter(({ hasCosts }) => !hasCosts),
      ({ search }) => search,
    ).map(([name, group]) => spread(`\`luck_p\` of the leader, ${name}`, group, 'luck')),
    '',
    'With an edge of 0.1 deviations a bar while one average is above another, held for a year of hours, without costs:',
    '',
    ...header('search'),
    ...grouped(edges, ({ search, tries }) => `${search}, ${tries} tries`).map(([name, group]) => passes(name, group)),
  ].join('\n');
}

/** The table of sweeps of other sides, margin and stops, with the edge of the long side beside them. */
export function styleTableOf(entries: readonly SweepEntry[]): string {
  return [
    `Grids of 64 tries without costs, shares that pass at 5 % (${entries.length} sweeps):`,
    '',
    row(['market and style', 'sweeps', 'luck', 'market', 'timing', 'all three']),
    '|---|--:|--:|--:|--:|--:|',
    ...grouped(entries, ({ market, style }) => `${market}, ${style ?? 'long'}`).map(([name, group]) =>
      row([
        name,
        group.length,
        shareOf(group, 'luck'),
        shareOf(group, 'market'),
        shareOf(group, 'timing'),
        believed(group),
      ]),
    ),
  ].join('\n');
}

/** The table of chains of sweeps. */
export function chainTableOf(entries: readonly Entry<ChainSetting, ChainVerdict>[]): string {
  const share = (group: typeof entries, has: (found: ChainVerdict) => boolean) =>
    percent(group.filter(({ found }) => has(found)).length, group.length);
  const rows = (nameOf: (entry: ChainSetting) => string) =>
    grouped(entries, nameOf).map(([name, group]) =>
      row([name, group.length, share(group, (found) => found.passes), share(group, (found) => found.passesAlone)]),
    );
  const header = (name: string) => [
    row([name, 'chains', 'by everything tried', 'if only the last sweep counted']),
    '|---|--:|--:|--:|',
  ];
  const passed = entries.filter(({ found }) => found.passes).length;
  const alone = entries.filter(({ found }) => found.passesAlone).length;
  return [
    `Without skill, shares of chains that pass all three tests in the end: ${passed} of ${entries.length}, and ${alone} if only the`,
    'last sweep counted.',
    '',
    ...header('market and chain'),
    ...rows(({ market, hasCosts, chain }) => `${market}, ${costWords(hasCosts)}, ${chain}`),
    '',
    ...header('tries of the first sweep, or of each'),
    ...rows(({ chain, tries }) => `${chain}, ${tries}`),
  ].join('\n');
}

/** The table of ways to try much and show little. */
export function doorTableOf(entries: readonly Entry<DoorSetting, DoorVerdict>[]): string {
  const share = (group: typeof entries, has: keyof DoorVerdict) =>
    percent(group.filter(({ found }) => found[has]).length, group.length);
  return [
    row(['way', 'chains', 'by everything tried', 'if only the last sweep counted']),
    '|---|--:|--:|--:|',
    ...grouped(entries, ({ door }) => door).map(([name, group]) =>
      row([name, group.length, share(group, 'passes'), share(group, 'passesAlone')]),
    ),
  ].join('\n');
}

/** The table of sweeps without skill over years that rise. */
export function driftTableOf(entries: readonly Entry<DriftSetting, DriftVerdict>[]): string {
  const share = (group: typeof entries, has: (found: DriftVerdict) => boolean) =>
    percent(group.filter(({ found }) => has(found)).length, group.length);
  const within = (p: number | null) => p !== null && p <= BELIEF;
  return [
    `Without skill over eight years that rise like Bitcoin, shares of sweeps that pass at 5 % (${entries.length} sweeps):`,
    '',
    row(['search', 'sweeps', 'luck', 'market', 'timing', 'all three']),
    '|---|--:|--:|--:|--:|--:|',
    ...grouped(entries, ({ tries, hasCosts }) => `${tries} tries, ${costWords(hasCosts)}`).map(([name, group]) =>
      row([
        name,
        group.length,
        ...(['luck', 'market', 'timing'] as const).map((test) => share(group, (found) => within(found[test]))),
        share(group, (found) => found.luck !== null && found.fails === null),
      ]),
    ),
  ].join('\n');
}

/**
 * The table of what true skill is found, beside what is said before a sweep. Sweeps of all lengths
 * count together, by the ratio times the root of their years.
 */
export function powerTableOf(entries: readonly Entry<PowerSetting, PowerVerdict>[]): string {
  const pair = (of: { readonly half: number; readonly most: number } | null, years: number) =>
    of === null ? '-' : [of.half, of.most].map((t) => (t / Math.sqrt(years)).toFixed(1)).join(' / ');
  return [
    'True annual Sharpe ratio that passes all three tests in half of sweeps / in nine of ten, by the years of the data',
    `(${entries.length} sweeps):`,
    '',
    row(['tries', 'sweeps', ...powerYears.map((years) => (years === 1 ? '1 year' : `${years} years`))]),
    `|--:|--:|${powerYears.map(() => '--:|').join('')}`,
    ...grouped(entries, ({ tries }) => `${tries}`).flatMap(([, group]) => {
      const { tries } = group[0]!;
      const found = foundAt(group.map(({ strength, found: { passes } }) => ({ strength, passes })));
      const said = findableEdge(tries, 1, ASSESSMENT_P_MAX);
      return [
        row([tries.toLocaleString('en'), group.length, ...powerYears.map((years) => pair(found, years))]),
        row([`${tries.toLocaleString('en')}, as said before`, '', ...powerYears.map((years) => pair(said, years))]),
      ];
    }),
  ].join('\n');
}

const costWords = (hasCosts: boolean): string => `${hasCosts ? 'with' : 'without'} costs`;

/** The document with new tables in one of its blocks. */
export function withTables(document: string, tables: string, block: Block = 'calibration'): string {
  const start = `<!-- ${block}: written by npm run calibrate -->`;
  const end = `<!-- end of ${block} -->`;
  const [from, to] = [document.indexOf(start), document.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`the document has no block from ${start} to ${end}`);
  return `${document.slice(0, from + start.length)}\n\n${tables}\n\n${document.slice(to)}`;
}
