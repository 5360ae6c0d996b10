import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { firstBarFrom, isoTime, parseInterval, sliceBars } from '../../engine/series/index.js';
import { writeBars } from '../bars/columns.js';
import { importBars } from '../bars/import.js';
import { readBarsFile } from '../bars/read-file.js';
import { type TableColumn, writeTable } from '../tables/index.js';
import { readColumns } from './read-columns.js';

/**
 * Builds the bundled recordings from a collection of recorded data and its manifest:
 * `tsx data/recordings/build-sample.ts MANIFEST OUT [ISO TIME]`. A maintainer runs it and commits
 * the result. Long series are cut by time; within the cut every row is kept.
 */

/** The fields of the manifest that this script reads. The origin is copied unchanged. */
interface SourceFile {
  readonly file: string;
  readonly exchange: string | null;
  readonly market?: string;
  readonly symbol?: string;
  readonly source?: string;
  readonly timestamp_is: string;
  readonly licence: string;
  readonly sha256: string;
  readonly origin: readonly Readonly<Record<string, unknown>>[];
  readonly notes?: string;
}

interface Recording {
  readonly from: string;
  readonly to: string;
  readonly columns: Readonly<Record<string, 'double' | 'boolean'>>;
  /** Rows at or after the first time and before the second; default all. */
  readonly window?: readonly [fromIso: string, toIso: string];
}

const tradeColumns = { price: 'double', quantity: 'double', buyer_is_maker: 'boolean' } as const;
const quoteColumns = {
  bid_price: 'double',
  bid_quantity: 'double',
  ask_price: 'double',
  ask_quantity: 'double',
} as const;
const aroundMidnight = ['2024-08-08T23:58:00Z', '2024-08-09T00:02:00Z'] as const;

const recordings: readonly Recording[] = [
  { from: 'BTC/trades', to: 'BTC-trades', columns: tradeColumns },
  { from: 'BTC-PERP/trades', to: 'BTC-PERP-trades', columns: tradeColumns },
  { from: 'BTC/quotes', to: 'BTC-quotes', columns: quoteColumns, window: aroundMidnight },
  { from: 'BTC-PERP/quotes', to: 'BTC-PERP-quotes', columns: quoteColumns, window: aroundMidnight },
  { from: 'BTC-PERP/funding-8h', to: 'BTC-PERP-funding-8h', columns: { funding_rate: 'double' } },
  { from: 'ETH-PERP/funding-8h', to: 'ETH-PERP-funding-8h', columns: { funding_rate: 'double' } },
  { from: 'metrics/fear-greed', to: 'fear-greed-1d', columns: { value: 'double' } },
  {
    from: 'metrics/ethereum-activity',
    to: 'ethereum-activity-1d',
    columns: { transactions: 'double', active_addresses: 'double', blocks: 'double', block_time_s: 'double' },
  },
];

const minuteBars = { from: 'BTC-PERP/1m', asset: 'BTC-PERP', window: ['2025-05-29T00:00:00Z', '2025-06-03T00:00:00Z'] };

async function buildSample(manifestPath: string, folder: string, nowMs: number): Promise<void> {
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as { files: readonly SourceFile[] };
  const findSource = async (name: string) => {
    const source = manifest.files.find(({ file }) => file === `${name}.parquet`);
    if (source === undefined) throw new Error(`the manifest has no ${name}.parquet`);
    const path = join(dirname(manifestPath), source.file);
    if (sha256(await readFile(path)) !== source.sha256) {
      throw new Error(`${source.file} is not the file that the manifest describes`);
    }
    return { source, path };
  };
  await mkdir(folder, { recursive: true });
  const files: unknown[] = [];
  for (const recording of recordings) {
    const { source, path } = await findSource(recording.from);
    files.push({ ...(await record(recording, path, folder)), ...describe(source) });
  }
  const { source, path } = await findSource(minuteBars.from);
  files.push({ ...(await importMinutes(path, folder, source, nowMs)), ...describe(source) });
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify({ version: 1, files }, null, 1)}\n`);
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const describe = ({ exchange, market, symbol, source, timestamp_is, licence, origin, notes = '' }: SourceFile) => ({
  source: exchange === null ? source : `${exchange} ${market} ${symbol}`,
  timeIs: timestamp_is,
  licence,
  origin,
  notes,
});

async function record({ to, columns, window }: Recording, path: string, folder: string) {
  const names = Object.keys(columns);
  const [from, until] = window ?? [];
  const rows = window === undefined ? 'true' : `"timestamp" >= '${from}' AND "timestamp" < '${until}'`;
  const { time, values } = await readColumns(path, names, rows);
  const table = names.map((name): TableColumn => {
    // biome-ignore lint/style/noNonNullAssertion: the column was asked for
    const column = values[name]!;
    if (columns[name] === 'double') return { name, type: 'double', values: column };
    return { name, type: 'boolean', values: Array.from(column, (value) => value === 1) };
  });
  const file = `${to}.parquet`;
  await writeTable(join(folder, file), [{ name: 'timestamp', type: 'time', values: time }, ...table]);
  return {
    file,
    rows: time.length,
    firstTime: isoTime(time[0] ?? NaN),
    lastTime: isoTime(time.at(-1) ?? NaN),
    columns: ['timestamp', ...names],
    sha256: sha256(await readFile(join(folder, file))),
  };
}

/** Bars of one minute are not bars of a strategy, so they have a catalogue of their own. */
async function importMinutes(path: string, folder: string, source: SourceFile, nowMs: number) {
  const intervalMs = parseInterval('1m');
  const { bars } = await readBarsFile(path, { intervalMs });
  const [from, to] = minuteBars.window.map((text) => firstBarFrom(bars, Date.parse(text)));
  const temporary = await mkdtemp(join(tmpdir(), 'barline-recordings-'));
  try {
    const cut = join(temporary, basename(path));
    await writeBars(cut, sliceBars(bars, from ?? 0, to ?? 0));
    const exchange = `${source.exchange} ${source.market} ${source.symbol}`;
    const options = { asset: minuteBars.asset, intervalMs, exchange, licence: source.licence, replace: true };
    const { entry } = await importBars(folder, [cut], options, nowMs);
    const { file, bars: rows, firstTime, lastTime, columns, contentHash } = entry;
    return { file, rows, firstTime, lastTime, columns, contentHash };
  } finally {
    await rm(temporary, { recursive: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [manifestPath, folder, time] = process.argv.slice(2);
  if (manifestPath === undefined || folder === undefined)
    throw new Error('usage: build-sample MANIFEST OUT [ISO TIME]');
  await buildSample(manifestPath, folder, time === undefined ? Date.now() : Date.parse(time));
}
