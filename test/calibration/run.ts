/**
 * `npm run calibrate` judges sweeps without skill, and with a planted edge, and chains of sweeps as
 * people make them, until it is stopped or `--rounds` are done, and writes the tables of
 * `docs/assessment.md`. A round has every setting once; `--only chains` (sweeps, styles, chains, doors,
 * drift, power; several with commas) leaves the others out. A table without an entry stays as it is.
 * Every sweep is a line of `--file` as soon as it is judged, so Ctrl-C loses at most one; the same
 * command continues. `--market`, `--tries` and `--search` take one of them only; `--first` skips
 * rounds, so that rules chosen by the seeds of earlier ones meet fresh seeds; `--until 15:50` stops
 * at that time, UTC; `--tables` only writes the tables.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type ChainSetting, chains, judgeChain } from './chains.js';
import { type DoorSetting, doors, judgeDoor } from './doors.js';
import { judge, type Setting, searches, styles } from './judge.js';
import { shortMarkets } from './markets.js';
import {
  type DriftSetting,
  driftTries,
  judgeDrift,
  judgePower,
  type PowerSetting,
  powerTries,
  powerYears,
  strengths,
} from './power.js';
import {
  type Block,
  chainTableOf,
  doorTableOf,
  driftTableOf,
  type Entry,
  powerTableOf,
  styleTableOf,
  tablesOf,
  withTables,
} from './table.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '400' },
    file: { type: 'string', default: 'calibration.jsonl' },
    document: { type: 'string', default: resolve(import.meta.dirname, '../../docs/assessment.md') },
    market: { type: 'string' },
    tries: { type: 'string' },
    search: { type: 'string' },
    first: { type: 'string', default: '0' },
    only: { type: 'string', default: 'sweeps,styles,chains,doors,drift,power' },
    until: { type: 'string', default: '' },
    tables: { type: 'boolean', default: false },
  },
});

/** Sweeps of this size take seconds, so only every few rounds have them. */
const LARGE = 20_000;
const LARGE_EVERY = 10;
const isLargeRound = (round: number): boolean => round % LARGE_EVERY === LARGE_EVERY - 1;

function sweeps(round: number): Setting[] {
  const sizes = isLargeRound(round) ? [64, 1_000, LARGE] : [64, 1_000];
  return shortMarkets.flatMap((market) =>
    (market === 'planted edge' ? [false] : [false, true]).flatMap((hasCosts) =>
      searches.flatMap((search) =>
        // A search that learns reads all trials before each batch.
        sizes
          .filter((tries) => tries < LARGE || search !== 'tpe')
          .map((tries) => ({ market, hasCosts, search, tries })),
      ),
    ),
  );
}

/** Grids of other sides, margin and stops. The edge of the long side is beside that of the short one. */
const styledSettings: readonly Setting[] = [
  ...(['random walk', 'drift'] as const).flatMap((market) =>
    styles.map((style): Setting => ({ market, hasCosts: false, search: 'grid', tries: 64, style })),
  ),
  { market: 'planted edge', hasCosts: false, search: 'grid', tries: 64, style: 'short' },
  { market: 'planted edge', hasCosts: false, search: 'grid', tries: 64 },
];

const chainsOf = (round: number): ChainSetting[] =>
  (['random walk', 'drift'] as const).flatMap((market) =>
    [false, true].flatMap((hasCosts) =>
      chains.flatMap((chain) =>
        [64, 1_000, 10_000]
          // Ten or thirty sweeps of 10,000 take as long as all the rest of a round.
          .filter((tries) => tries < 10_000 || chain.startsWith('refined') || isLargeRound(round))
          .map((tries) => ({ market, hasCosts, chain, tries })),
      ),
    ),
  );

const doorSettings: DoorSetting[] = doors.map((door) => ({ market: 'random walk', hasCosts: false, door }));

const drifts = (): DriftSetting[] =>
  [false, true].flatMap((hasCosts) =>
    driftTries.map((tries) => ({ driftOf: 'bitcoin drift' as const, hasCosts, tries })),
  );

/** Each place has another strength in each round, so that all of them come equally often. */
const powers = (round: number): PowerSetting[] =>
  powerTries.flatMap((tries, i) =>
    powerYears.map((years, k) => ({ tries, years, strength: strengths[(round + i + k) % strengths.length]! })),
  );

/** One kind of measurement: what a round of it has, how it is made, and the block it writes. */
interface Kind {
  readonly block: Block;
  readonly settings: (round: number) => readonly object[];
  readonly judge: (setting: object, seed: number) => unknown;
  readonly table: (lines: readonly Line[]) => string;
}

const kindOf = <Made extends object, Found>(
  block: Block,
  settings: (round: number) => readonly Made[],
  make: (setting: Made, seed: number) => Found | Promise<Found>,
  table: (entries: readonly Entry<Made, Found>[]) => string,
): Kind => ({
  ...{ block, settings },
  judge: (setting, seed) => make(setting as Made, seed),
  table: (lines) => table(lines as readonly object[] as readonly Entry<Made, Found>[]),
});

const kinds: Readonly<Record<string, Kind>> = {
  chains: kindOf('chains', chainsOf, judgeChain, chainTableOf),
  doors: kindOf('doors', () => doorSettings, judgeDoor, doorTableOf),
  drift: kindOf('drift', drifts, judgeDrift, driftTableOf),
  power: kindOf('power', powers, judgePower, powerTableOf),
  sweeps: kindOf('calibration', sweeps, judge, tablesOf),
  styles: kindOf('styles', () => styledSettings, judge, styleTableOf),
};

/** A line of the file: the kind, the setting, the seed, and what was found. */
interface Line {
  readonly kind: string;
  readonly seed: number;
  readonly found: unknown;
}

/** The judged sweeps and chains; a line that a stop cut off is left out. */
function readLines(): Line[] {
  if (!existsSync(values.file)) return [];
  return readFileSync(values.file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Line];
      } catch {
        return [];
      }
    });
}

const keyOf = ({ found: _, ...setting }: Line): string =>
  JSON.stringify(Object.entries(setting).sort(([a], [b]) => (a < b ? -1 : 1)));

function isAsked(setting: object): boolean {
  const made = Object.entries(setting);
  return (['market', 'tries', 'search'] as const).every(
    (name) => values[name] === undefined || made.every(([key, value]) => key !== name || `${value}` === values[name]),
  );
}

const isOver = (): boolean => values.until !== '' && new Date().toISOString().slice(11, 16) >= values.until;

const only = values.only.split(',').map((name) => {
  const kind = kinds[name];
  if (kind === undefined) throw new Error(`--only must be among ${Object.keys(kinds)}, was ${name}`);
  return { name, kind };
});
const lines = readLines();
const known = new Set(lines.map(keyOf));
if (existsSync(values.file)) appendFileSync(values.file, '\n'); // ends a line that a stop cut off
const rounds = values.tables ? 0 : Number(values.rounds);
for (let round = Number(values.first); round < Number(values.first) + rounds && !isOver(); round++) {
  for (const { name, kind } of only) {
    for (const [place, setting] of kind.settings(round).entries()) {
      const made = { kind: name, ...setting, seed: 1_000 * round + place };
      if (isOver() || !isAsked(setting) || known.has(keyOf({ ...made, found: null }))) continue;
      const line: Line = { ...made, found: await kind.judge(setting, made.seed) };
      lines.push(line);
      appendFileSync(values.file, `${JSON.stringify(line)}\n`);
    }
  }
  console.log(`round ${round}, ${lines.length} sweeps and chains`);
}
let document = readFileSync(values.document, 'utf8');
for (const [name, { block, table }] of Object.entries(kinds)) {
  const made = lines.filter(({ kind }) => kind === name);
  if (made.length > 0) document = withTables(document, table(made), block);
}
writeFileSync(values.document, document);
