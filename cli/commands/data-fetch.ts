import { join } from 'node:path';
import { Command, Option } from 'commander';
import { normaliseAsset, parseMarket } from '../../data/bars/index.js';
import { columnSources } from '../../data/column-sources/index.js';
import { type FetchedBars, fetchBars, type ProviderName, providers } from '../../data/providers/index.js';
import { EngineError, quote } from '../../engine/errors.js';
import { isoTime, parseInterval } from '../../engine/series/index.js';
import { withoutEnd } from '../../engine/text.js';
import { fillColumns, resolveWindow } from '../../research/index.js';
import type { Environment } from '../environment.js';
import { requireOption } from '../inputs.js';
import { note, plural, print, printJson } from '../output.js';
import { progress } from '../progress.js';
import { openColumnStore, openStore } from '../services.js';
import { reportAdded } from './data-columns.js';

interface FetchOptions {
  readonly provider: ProviderName;
  readonly columns?: string;
  readonly columnsFrom?: string;
  readonly exchange?: string;
  readonly asset?: string;
  readonly interval?: string;
  readonly start?: string;
  readonly end?: string;
  readonly quote?: string;
  readonly symbol?: string;
  readonly replace?: boolean;
  readonly licence?: string;
  readonly baseUrl?: string;
  readonly json?: boolean;
}

const EXIT_INTERRUPTED = 130;
/** Shorter waits are not reported. */
const NOTED_WAIT_MS = 5_000;

export function dataFetch(environment: Environment): Command {
  return new Command('fetch')
    .description(
      'download closed bars from an exchange and store them (needs the package ccxt), or columns beside bars',
    )
    .addOption(
      new Option('--provider <name>', 'library that talks to the exchange')
        .choices(Object.keys(providers))
        .default('ccxt'),
    )
    .option('--exchange <name>', "exchange, by the provider's name for it, such as binance")
    .option('--asset <name>', 'asset, such as BTC; BTC-PERP is the perpetual')
    .option('--interval <length>', 'length of a bar, such as 1h')
    .option('--start <time>', 'open time of the first bar, such as 2024-01-01 (UTC)')
    .option('--end <time>', 'close time of the last bar (default: the last closed bar)')
    .option('--quote <name>', 'currency in which the asset is priced (default: that of the asset, else USDT)')
    .option('--symbol <name>', "market, by the provider's name for it (default: ASSET/QUOTE)")
    .option('--columns <names>', 'instead of bars, fetch these columns of the asset, such as PerpFundingRate,FearGreed')
    .addOption(new Option('--columns-from <name>', 'source of the columns').choices(Object.keys(columnSources)))
    .option('--replace', 'fetch everything again and replace what is stored')
    .option('--licence <text>', 'licence of the bars, stored with them')
    .option('--base-url <url>', 'address of a proxy or mirror of the exchange')
    .option('--json', 'print JSON')
    .action((options: FetchOptions) => fetchFrom(options, environment));
}

/**
 * The range to fetch, without limit where the options leave it open. Only a lookback would need the
 * time of the call.
 * @throws EngineError INVALID_FIELD for a text that is no time, EMPTY_WINDOW unless start is before
 *   end
 */
const readRange = ({ start, end }: FetchOptions) => resolveWindow({ start, end }, NaN);

/** Adds columns from their sources to the asset's columns. */
async function fetchColumns(names: string, options: FetchOptions, environment: Environment): Promise<void> {
  const asset = requireOption('--asset', options.asset);
  const columns = names.split(',').map((name) => name.trim());
  const wanted = { asset, columns, source: options.columnsFrom, replace: options.replace };
  const { startMs, endMs: toMs } = readRange(options);
  const fromMs = options.start === undefined ? undefined : startMs;
  const { serviceColumnSources } = await import('../../server/index.js');
  const sources = await serviceColumnSources(
    await environment.readServiceConfig(),
    join(environment.packageRoot, 'sample'),
  );
  const services = { columns: openColumnStore(environment), sources };
  await reportAdded(await fillColumns({ ...wanted, fromMs, toMs }, services), options, environment);
}

async function fetchFrom(options: FetchOptions, environment: Environment): Promise<void> {
  if (options.columns !== undefined) return fetchColumns(options.columns, options, environment);
  const exchange = requireOption('--exchange', options.exchange);
  const { asset, pair } = readMarket(requireOption('--asset', options.asset), options.quote);
  const intervalMs = parseInterval(requireOption('--interval', options.interval));
  const start = requireOption('--start', options.start);
  const { startMs, endMs: toMs } = readRange({ ...options, start });
  const endMs = options.end === undefined ? undefined : toMs;
  const symbol = options.symbol ?? pair;
  const provider = await providers[options.provider]({ exchange, symbol, apiUrl: parseUrl(options.baseUrl) });

  const stored = await openStore(environment).list();
  const bundled = stored.find((entry) => entry.isSample && entry.asset === asset && entry.intervalMs === intervalMs);
  const bar = progress(100, `${asset} ${options.interval}`);
  const isWatched = process.stderr.isTTY === true;
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  process.once('SIGINT', interrupt);
  let shown = 0;
  try {
    const { replace, licence } = options;
    const fetched = await fetchBars(
      provider,
      { asset, symbol, intervalMs, startMs, endMs, replace, licence },
      {
        home: environment.home,
        now: Date.now,
        random: Math.random,
        signal: interruption.signal,
        onProgress({ done }) {
          for (; shown < Math.floor(100 * done); shown++) bar.step();
        },
        onRetry(fault, waitMs) {
          if (isWatched && waitMs >= NOTED_WAIT_MS) {
            note(`${provider.name}: ${fault.message}; next try in ${Math.ceil(waitMs / 1_000)} s`);
          }
        },
      },
    );
    bar.stop();
    if (options.json) printJson(fetched);
    else {
      report(fetched);
      if (bundled !== undefined) {
        print(`  replaces the bundled bars, ${bundled.firstTime} to ${bundled.lastTime}`);
      }
    }
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    note('barline: interrupted; run the same command again to continue');
    process.exitCode = EXIT_INTERRUPTED;
  } finally {
    bar.stop();
    process.removeListener('SIGINT', interrupt);
  }
}

function report(fetched: FetchedBars): void {
  const { status, entry, gaps, offGridBars, fetchedBars, resumedBars, pages, retries } = fetched;
  const { asset, interval, bars, firstTime, lastTime, zeroVolumeBars } = entry;
  print(`${status} ${asset} ${interval}: ${plural(bars, 'bar')}, ${firstTime} to ${lastTime}`);
  const resumed = resumedBars > 0 ? `, ${plural(resumedBars, 'bar')} of them in an earlier run` : '';
  const tries = retries > 0 ? `, ${plural(retries, 'request')} retried` : '';
  print(`  ${plural(fetchedBars, 'bar')} fetched${resumed}; ${plural(pages, 'page')} requested${tries}`);
  if (fetched.missingBefore > 0) print(`  ${plural(fetched.missingBefore, 'bar')} missing before ${firstTime}`);
  for (const gap of gaps) {
    print(`  ${plural(gap.bars, 'bar')} missing, ${isoTime(gap.firstMissing)} to ${isoTime(gap.lastMissing)}`);
  }
  if (fetched.missingAfter > 0) print(`  ${plural(fetched.missingAfter, 'bar')} missing after ${lastTime}`);
  if (zeroVolumeBars > 0) print(`  ${plural(zeroVolumeBars, 'bar')} without volume`);
  if (offGridBars > 0) print(`  ${plural(offGridBars, 'bar')} off the ${interval} grid`);
}

/** The currency of a market that names none. */
const QUOTE = 'USDT';

/**
 * The name of the asset and the pair to ask the exchange for. The quote of the name wins over the
 * usual one, and a quote that the name loses is still the quote of the pair.
 */
function readMarket(text: string, given: string | undefined): { readonly asset: string; readonly pair: string } {
  const { base, quote: named, settlement } = parseMarket(text);
  const wanted = given?.trim().toUpperCase();
  if (named !== undefined && wanted !== undefined && named !== wanted) {
    throw new EngineError('INVALID_FIELD', `quote must be ${named}, as asset says, was ${quote(given)}`, {
      field: 'quote',
    });
  }
  const currency = named ?? wanted ?? QUOTE;
  const spot = `${base}/${currency}`;
  if (settlement === undefined) return { asset: normaliseAsset(spot), pair: spot };
  if (settlement !== 'PERP') return { asset: normaliseAsset(text), pair: `${spot}:${settlement}` };
  const isCommon = named === undefined && normaliseAsset(spot) === base;
  return { asset: isCommon ? normaliseAsset(text) : `${base}-${currency}-PERP`, pair: `${spot}:${currency}` };
}

function parseUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.hash === '') {
    return withoutEnd(url.href, '/');
  }
  const rule = 'base-url must be an http or https address without user and query';
  throw new EngineError('INVALID_FIELD', `${rule}, was ${quote(text)}`, { field: 'base-url' });
}
