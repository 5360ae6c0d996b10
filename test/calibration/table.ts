import type { ChainSetting, ChainVerdict } from './chains.js';
import type { Judgement, Setting } from './judge.js';

export interface Entry extends Setting {
  readonly seed: number;
  readonly found: Judgement;
}

export interface ChainEntry extends ChainSetting {
  readonly seed: number;
  readonly found: ChainVerdict;
}

const BELIEF = 0.05;
/** Blocks of the document that a calibration writes. */
type Block = 'calibration' | 'chains' | 'styles';

const percent = (part: number, whole: number): string => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`);

/** Share of the entries in which a p-value that could be made is at most `bound`. */
function shareOf(entries: readonly Entry[], test: 'luck' | 'market' | 'timing' | 'superior', bound = BELIEF): string {
  const values = entries.map(({ found }) => found[test]).filter((p) => p !== null);
  return percent(values.filter((p) => p <= bound).length, values.length);
}

/** A leader is believed when every test was made and passed. */
const isBelieved = ({ found }: Entry): boolean => found.luck !== null && found.fails === null;
const believed = (entries: readonly Entry[]): string => percent(entries.filter(isBelieved).length, entries.length);

const isNoise = ({ market }: Setting): boolean => market !== 'planted edge';

function grouped<T>(entries: readonly T[], nameOf: (entry: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const entry of entries) groups.set(nameOf(entry), [...(groups.get(nameOf(entry)) ?? []), entry]);
  return [...groups].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
}

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

/** The tables of `docs/belief.md`. */
export function tablesOf(all: readonly Entry[]): string {
  const entries = all.filter(({ style }) => style === undefined);
  const noise = entries.filter(isNoise);
  const edges = entries.filter((entry) => !isNoise(entry));
  const passes = (name: string, group: readonly Entry[]) =>
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
  const spread = (name: string, group: readonly Entry[], test: 'luck' | 'superior') =>
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
export function styleTableOf(entries: readonly Entry[]): string {
  const isShown = ({ style, market, search, tries }: Entry) =>
    style !== undefined || (market === 'planted edge' && search === 'grid' && tries === 64);
  const shown = entries.filter(isShown);
  return [
    `Grids of 64 tries without costs, shares that pass at 5 % (${shown.length} sweeps):`,
    '',
    row(['market and style', 'sweeps', 'luck', 'market', 'timing', 'all three']),
    '|---|--:|--:|--:|--:|--:|',
    ...grouped(shown, ({ market, style }) => `${market}, ${style ?? 'long'}`).map(([name, group]) =>
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
export function chainTableOf(entries: readonly ChainEntry[]): string {
  const share = (group: readonly ChainEntry[], has: (found: ChainVerdict) => boolean) =>
    percent(group.filter(({ found }) => has(found)).length, group.length);
  return [
    `Without skill and costs, shares of chains that pass all three tests in the end (${entries.length} chains):`,
    '',
    row(['market and chain', 'chains', 'by everything tried', 'if only the last sweep counted']),
    '|---|--:|--:|--:|',
    ...grouped(entries, ({ market, chain }) => `${market}, ${chain}`).map(([name, group]) =>
      row([name, group.length, share(group, (found) => found.passes), share(group, (found) => found.passesAlone)]),
    ),
  ].join('\n');
}

/** The document with new tables in one of its blocks. */
export function withTables(document: string, tables: string, block: Block = 'calibration'): string {
  const start = `<!-- ${block}: written by npm run calibrate -->`;
  const end = `<!-- end of ${block} -->`;
  const [from, to] = [document.indexOf(start), document.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`the document has no block from ${start} to ${end}`);
  return `${document.slice(0, from + start.length)}\n\n${tables}\n\n${document.slice(to)}`;
}
