import { basename } from 'node:path';
import { EngineError, quote } from '../../engine/errors.js';
import { formatInterval, parseInterval } from '../../engine/series/index.js';
import { normaliseAsset } from './assets.js';

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
