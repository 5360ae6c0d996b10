/**
 * `npm run calibrate` judges sweeps without skill, and with a planted edge, and chains of sweeps as
 * people make them, until it is stopped or `--rounds` are done, and writes the tables of
 * `docs/belief.md`. A round has every setting once; `--only chains`, `--only sweeps` or `--only
 * styles` (other sides, margin and stops) leaves the others out. A table without an entry stays as it is.
 * Every sweep is a line of `--file` as soon as it is judged, so Ctrl-C loses at most one; the same
 * command continues. `--market`, `--tries` and `--search` take one of them only; `--first` skips
 * rounds, so that rules chosen by the seeds of earlier ones meet fresh seeds; `--tables` only
 * writes the tables.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type ChainSetting, chains, judgeChain } from './chains.js';
import { judge, type Setting, searches, styles } from './judge.js';
import { type Market, markets } from './markets.js';
import { type ChainEntry, chainTableOf, type Entry, styleTableOf, tablesOf, withTables } from './table.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '400' },
    file: { type: 'string', default: 'calibration.jsonl' },
    document: { type: 'string', default: resolve(import.meta.dirname, '../../docs/belief.md') },
    market: { type: 'string' },
    tries: { type: 'string' },
    search: { type: 'string' },
    first: { type: 'string', default: '0' },
    only: { type: 'string' },
    tables: { type: 'boolean', default: false },
  },
});

/** Sweeps of this size take seconds, so only every few rounds have them. */
const LARGE = 20_000;
const LARGE_EVERY = 10;

function settingsOf(round: number): Setting[] {
  const sizes = round % LARGE_EVERY === LARGE_EVERY - 1 ? [64, 1_000, LARGE] : [64, 1_000];
  return (Object.keys(markets) as Market[]).flatMap((market) =>
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

const keyOf = ({ market, hasCosts, search, tries, style, seed }: Setting & { readonly seed: number }): string =>
  [market, hasCosts, search, tries, style, seed].join();
const chainKeyOf = ({ market, hasCosts, chain, seed }: ChainSetting & { readonly seed: number }): string =>
  [market, hasCosts, chain, seed].join();

const chainSettings = (['random walk', 'drift'] as const).flatMap((market) =>
  chains.map((chain): ChainSetting => ({ market, hasCosts: false, chain })),
);

const isChain = (entry: Entry | ChainEntry): entry is ChainEntry => 'chain' in entry;

/** The judged sweeps and chains; a line that a stop cut off is left out. */
function readEntries(): (Entry | ChainEntry)[] {
  if (!existsSync(values.file)) return [];
  return readFileSync(values.file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Entry | ChainEntry];
      } catch {
        return [];
      }
    });
}

const isAskedFor = (part: 'chains' | 'sweeps' | 'styles'): boolean => (values.only ?? part) === part;
const settingsFor = (round: number): readonly Setting[] => [
  ...(isAskedFor('sweeps') ? settingsOf(round) : []),
  ...(isAskedFor('styles') ? styledSettings : []),
];

const entries = readEntries();
const known = new Set(entries.map((entry) => (isChain(entry) ? chainKeyOf(entry) : keyOf(entry))));
if (existsSync(values.file)) appendFileSync(values.file, '\n'); // ends a line that a stop cut off
const rounds = values.tables ? 0 : Number(values.rounds);
for (let round = Number(values.first); round < Number(values.first) + rounds; round++) {
  for (const [place, setting] of (isAskedFor('chains') ? chainSettings : []).entries()) {
    const seed = 1_000 * round + place;
    if ((values.market ?? setting.market) !== setting.market || known.has(chainKeyOf({ ...setting, seed }))) continue;
    const entry = { ...setting, seed, found: judgeChain(setting, seed) };
    entries.push(entry);
    appendFileSync(values.file, `${JSON.stringify(entry)}\n`);
  }
  for (const [place, setting] of settingsFor(round).entries()) {
    const seed = 1_000 * round + place;
    const isAsked =
      (values.market ?? setting.market) === setting.market &&
      (values.search ?? setting.search) === setting.search &&
      Number(values.tries ?? setting.tries) === setting.tries;
    if (!isAsked) continue;
    if (known.has(keyOf({ ...setting, seed }))) continue;
    const entry = { ...setting, seed, found: judge(setting, seed) };
    entries.push(entry);
    appendFileSync(values.file, `${JSON.stringify(entry)}\n`);
  }
  console.log(`round ${round}, ${entries.length} sweeps and chains`);
}
const [ofChains, ofSweeps] = [entries.filter(isChain), entries.filter((entry) => !isChain(entry)) as Entry[]];
let document = readFileSync(values.document, 'utf8');
if (isAskedFor('sweeps') && ofSweeps.length > 0) document = withTables(document, tablesOf(ofSweeps));
if (isAskedFor('styles') && ofSweeps.length > 0) document = withTables(document, styleTableOf(ofSweeps), 'styles');
if (ofChains.length > 0) document = withTables(document, chainTableOf(ofChains), 'chains');
writeFileSync(values.document, document);
