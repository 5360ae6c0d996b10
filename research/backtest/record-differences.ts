import { canonicalJson } from '../../engine/canonical-json.js';
import { quote } from '../../engine/errors.js';

const NAMED_MAX = 20;
const TEXT_MAX = 100;

interface CompareOptions {
  /** Keys to ignore at every level. */
  readonly ignored?: ReadonlySet<string>;
}

/**
 * Lists where two values differ as JSON, one line each: `metrics.total_return was 0.1, is 0.2`. It
 * names the first differences and counts the rest. Texts are shown in full, so that hashes can be
 * told apart.
 */
export function differencesBetween(
  before: unknown,
  now: unknown,
  { ignored = new Set() }: CompareOptions = {},
): string[] {
  const lines: string[] = [];
  let count = 0;
  const visit = (path: string, a: unknown, b: unknown): void => {
    if (isHolder(a) && isHolder(b) && Array.isArray(a) === Array.isArray(b)) {
      for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
        if (!ignored.has(key)) visit(joinPath(path, key, Array.isArray(a)), a[key], b[key]);
      }
      return;
    }
    if (a === b || canonicalJson(a) === canonicalJson(b)) return;
    count += 1;
    if (count <= NAMED_MAX) lines.push(`${path} was ${valueText(a)}, is ${valueText(b)}`);
  };
  visit('', asJson(before), asJson(now));
  return count > NAMED_MAX ? [...lines, `${count - NAMED_MAX} more differences`] : lines;
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const isHolder = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function joinPath(path: string, key: string, isItem: boolean): string {
  if (isItem) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

function valueText(value: unknown): string {
  return typeof value === 'string' && value.length <= TEXT_MAX ? value : quoteHeld(value);
}

/** A value of a record in quotes, or the word for one that the record does not have. */
export const quoteHeld = (value: unknown): string => (value === undefined ? 'absent' : quote(value));
