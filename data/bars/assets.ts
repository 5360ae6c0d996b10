import { basename } from 'node:path';
import { distance } from 'fastest-levenshtein';
import { EngineError, quote, quote as quoteText } from '../../engine/errors.js';
import { formatInterval, parseInterval } from '../../engine/series/index.js';

/** The end of the name of a perpetual; what stands before it is the base asset. */
export const PERPETUAL = '-PERP';

/** Whether an asset is a perpetual by its name: `BTC-PERP`, or a settled pair such as `BTC/USDT:USDT`. */
export const isPerpetual = (asset: string): boolean => {
  const [, quote, settlement, ...rest] = splitName(asset);
  return `-${settlement ?? quote}` === PERPETUAL || (settlement !== undefined && rest.length === 0);
};

const assetName = /^[A-Z0-9][A-Z0-9._-]{0,31}$/;
/** Names of devices in Windows, where a file of such a name, with any ending, is the device. */
const deviceName = /^(CON|PRN|AUX|NUL|COM\d|LPT\d)(\.|$)/;

/** Quotes that do not tell markets of an asset apart: `BTC`, `BTC-USD` and `BTC/USDT` are one. */
const commonQuotes: readonly string[] = ['USD', 'USDT'];

/** A market as its name says it: `BTC/EUR` has a quote, `BTC/USDT:USDT` a settlement too. */
interface Market {
  readonly base: string;
  /** As written, even if the name of the asset loses it. */
  readonly quote?: string | undefined;
  /** What stands after the quote, `PERP` among it. */
  readonly settlement?: string | undefined;
}

/**
 * The name under which bars of an asset are stored: upper case, without a quote of USD or USDT.
 * Another quote or a settlement makes another market, whose name keeps all parts, joined by `-`:
 * `BTC-EUR`, `BTC-USDT-USDT`, `BTC-PERP`. A pair written as one word (BTCUSDT) is taken as a name.
 */
export function normaliseAsset(text: unknown): string {
  const parts = splitName(text);
  const [base = '', quote = ''] = parts;
  const name = parts.length === 2 && commonQuotes.includes(quote) ? base : parts.join('-');
  if (assetName.test(name) && !deviceName.test(name)) return name;
  const rule =
    'asset must start with up to 32 letters, digits, dots or underscores, optionally with a quote and a settlement as in BTC/EUR or BTC-PERP, and be no device such as CON';
  throw new EngineError('INVALID_FIELD', `${rule}, was ${quoteText(text)}`, { field: 'asset' });
}

/** @throws INVALID_FIELD for a text that names no asset */
export function parseMarket(text: unknown): Market {
  normaliseAsset(text);
  const [base = '', quote, ...rest] = splitName(text);
  if (quote === PERPETUAL.slice(1) && rest.length === 0) return { base, settlement: quote };
  return { base, quote, ...(rest.length === 0 ? {} : { settlement: rest.join('-') }) };
}

/** The base of a market in another currency; null for a name that stands for itself. */
export function quotedBase(name: string): string | null {
  const end = name.indexOf('-');
  return end === -1 ? null : name.slice(0, end);
}

function splitName(text: unknown): string[] {
  // A letter of another alphabet can have one of these as its upper case: a dotless i becomes I.
  const upper = typeof text === 'string' && /^[\x20-\x7e]*$/.test(text.trim()) ? text.trim().toUpperCase() : '';
  const [base = '', ...rest] = upper.split(/[-/:]/);
  return [base, ...rest.filter((part) => part !== '')];
}

/** Up to three of `names` that resemble `wanted`, nearest first. */
export function nearestNames(wanted: string, names: readonly string[]): string[] {
  const farthest = Math.max(1, Math.floor(wanted.length / 2));
  return [...new Set(names)]
    .map((name) => ({ name, steps: distance(wanted, name) }))
    .filter(({ steps }) => steps <= farthest)
    .sort((a, b) => a.steps - b.steps || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name);
}

/** A file, and the series that its name says it holds. */
export interface NamedFile {
  readonly path: string;
  readonly asset: string;
  /** Where the pattern has `{interval}`. */
  readonly intervalMs?: number;
}

const ASSET = '{asset}';
const INTERVAL = '{interval}';

/**
 * Reads the series of files from their names.
 *
 * @param pattern of a whole name, without its folder: `{asset}` stands for the asset, `{interval}`
 *   for the length of a bar such as 1h, `*` for anything
 * @throws EngineError for a pattern without `{asset}`, for a name that does not fit, and for two
 *   files of one series
 */
export function nameFiles(paths: readonly string[], pattern: string): NamedFile[] {
  const match = matcher(pattern);
  const files = paths.map((path): NamedFile => {
    const found = match(basename(path));
    if (found === null) throw unfit(path, `must fit the pattern ${quote(pattern)}`);
    try {
      const { asset, interval } = found;
      return {
        path,
        asset: normaliseAsset(asset),
        ...(interval !== undefined && { intervalMs: parseInterval(interval) }),
      };
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      throw unfit(path, `must name a series by the pattern ${quote(pattern)}: ${error.message}`);
    }
  });
  refuseTwins(files);
  return files;
}

const unfit = (path: string, rule: string): EngineError =>
  new EngineError('INVALID_FIELD', `the name of a file ${rule}, was ${quote(basename(path))}`, {
    field: 'names',
    path,
  });

function matcher(pattern: string): (name: string) => { asset: string; interval?: string } | null {
  const count = (part: string): number => pattern.split(part).length - 1;
  if (count(ASSET) !== 1 || count(INTERVAL) > 1) {
    const rule = `names must have ${ASSET} once, and ${INTERVAL} at most once`;
    throw new EngineError('INVALID_FIELD', `${rule}, was ${quote(pattern)}`, { field: 'names' });
  }
  // Names are short, and each part matches in one way from the left, so this cannot run away.
  const parts = pattern.split(/(\{asset\}|\{interval\}|\*)/).map((part) => {
    if (part === ASSET) return '(?<asset>[^/]+)';
    if (part === INTERVAL) return '(?<interval>\\d+[A-Za-z])';
    return part === '*' ? '[^/]*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  });
  const regex = new RegExp(`^${parts.join('')}$`);
  return (name) => (regex.exec(name)?.groups as { asset: string; interval?: string } | undefined) ?? null;
}

function refuseTwins(files: readonly NamedFile[]): void {
  const seen = new Map<string, string>();
  for (const { path, asset, intervalMs } of files) {
    const series = intervalMs === undefined ? asset : `${asset} ${formatInterval(intervalMs)}`;
    const other = seen.get(series);
    if (other !== undefined) {
      const hint =
        intervalMs === undefined
          ? `${INTERVAL} in the pattern tells lengths of bars apart, and --asset with --append joins the files of one`
          : '--asset with --append joins the files of one series';
      const message = `${quote(basename(other))} and ${quote(basename(path))} both name ${series}; ${hint}`;
      throw new EngineError('CONFLICT', message, { field: 'names', series });
    }
    seen.set(series, path);
  }
}
