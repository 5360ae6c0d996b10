import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isoTime, parseInterval } from '../../engine/series/index.js';
import { importBars } from './import.js';

/**
 * Builds the bundled sample from a collection of recorded bars and its manifest, with the product's
 * own importer: `tsx data/bars/build-sample.ts MANIFEST OUT [ISO TIME]`. A maintainer runs it and
 * commits the result.
 */

/** The fields of the manifest that this script reads. The origin is copied unchanged. */
interface SourceFile {
  readonly file: string;
  readonly asset: string;
  readonly interval: string;
  readonly exchange: string;
  readonly market: string;
  readonly symbol: string;
  readonly licence: string;
  readonly sha256: string;
  readonly origin: readonly Readonly<Record<string, unknown>>[];
  readonly verified_against?: readonly string[];
  readonly notes?: string;
}

const bundled = ['BTC/5m', 'BTC/1h', 'BTC/1d', 'ETH/1h', 'ETH/1d', 'BNB/1d', 'SOL/1d', 'XRP/1d'].map(
  (name) => `${name}.parquet`,
);

async function buildSample(manifestPath: string, folder: string, nowMs: number): Promise<void> {
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as { files: readonly SourceFile[] };
  await mkdir(folder, { recursive: true });
  const files: unknown[] = [];
  for (const name of bundled) {
    const source = manifest.files.find(({ file }) => file === name);
    if (source === undefined) throw new Error(`the manifest has no ${name}`);
    const { asset, interval, exchange, market, symbol, licence } = source;
    const path = join(dirname(manifestPath), name);
    const sha256 = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
    if (sha256 !== source.sha256) throw new Error(`${name} is not the file that the manifest describes`);
    const options = {
      asset,
      intervalMs: parseInterval(interval),
      exchange: `${exchange} ${market} ${symbol}`,
      licence,
    };
    const { entry, gaps } = await importBars(folder, [path], { ...options, replace: true }, nowMs);
    files.push({
      file: entry.file,
      asset,
      interval,
      exchange,
      market,
      symbol,
      bars: entry.bars,
      firstTime: entry.firstTime,
      lastTime: entry.lastTime,
      contentHash: entry.contentHash,
      licence,
      origin: source.origin,
      verifiedAgainst: source.verified_against ?? [],
      notes: source.notes ?? '',
      zeroVolumeBars: entry.zeroVolumeBars,
      holes: gaps.map(({ firstMissing, lastMissing, bars }) => ({
        firstMissing: isoTime(firstMissing),
        lastMissing: isoTime(lastMissing),
        bars,
      })),
    });
  }
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify({ version: 1, files }, null, 1)}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [manifestPath, folder, time] = process.argv.slice(2);
  if (manifestPath === undefined || folder === undefined)
    throw new Error('usage: build-sample MANIFEST OUT [ISO TIME]');
  await buildSample(manifestPath, folder, time === undefined ? Date.now() : Date.parse(time));
}
