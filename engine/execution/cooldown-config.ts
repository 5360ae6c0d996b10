import { EngineError, quote } from '../errors.js';
import { formatInterval, tryParseInterval } from '../series/intervals.js';
import { checkBounds, entriesOf, type FieldBounds, unknownField } from './bounds.js';

/**
 * Two independent tiers of one run interval; a tier is off when its limit or its window is <= 0.
 */
export interface CooldownEntry {
  readonly short_loss_limit: number;
  readonly long_loss_limit: number;
  readonly short_window_bars: number;
  readonly long_window_bars: number;
}

/** By run interval, `1h` or `1d`. */
export type CooldownConfig = Readonly<Record<string, CooldownEntry>>;

export const publishedCooldown = {
  '5m': { short_loss_limit: 4, long_loss_limit: 6, short_window_bars: 180, long_window_bars: 480 },
  '15m': { short_loss_limit: 4, long_loss_limit: 6, short_window_bars: 120, long_window_bars: 320 },
  '1h': { short_loss_limit: 4, long_loss_limit: 6, short_window_bars: 48, long_window_bars: 144 },
  '1d': { short_loss_limit: 4, long_loss_limit: 6, short_window_bars: 20, long_window_bars: 60 },
} as const satisfies CooldownConfig;

const tierField: FieldBounds = { kind: 'integer', description: 'losses or bars; the tier is off when <= 0' };
const entryFields = ['short_loss_limit', 'long_loss_limit', 'short_window_bars', 'long_window_bars'] as const;

/**
 * Checks a cooldown_config and returns it with canonical interval names (`1D` becomes `1d`) and
 * complete entries: a number missing from an entry is taken from the published entry of that
 * interval, and a tier whose limit is 0 needs no window. The deprecated `max_hold_time_hours` of an
 * entry is ignored.
 *
 * @throws INVALID_FIELD for an unknown name, a value out of bounds or an interval named twice;
 *   MISSING_FIELD for a missing number of an interval without a published entry
 */
export function readCooldownConfig(value: unknown): CooldownConfig {
  const entries = new Map<string, CooldownEntry>();
  for (const [key, entry] of entriesOf('cooldown_config', value)) {
    const intervalMs = tryParseInterval(key);
    if (intervalMs === null) {
      throw new EngineError('INVALID_FIELD', `cooldown_config: ${quote(key)} is not an interval such as 1h or 1d`, {
        field: 'cooldown_config',
      });
    }
    const interval = formatInterval(intervalMs);
    if (entries.has(interval)) {
      throw new EngineError('INVALID_FIELD', `cooldown_config names the interval ${interval} twice`, {
        field: 'cooldown_config',
      });
    }
    entries.set(interval, readEntry(interval, entry));
  }
  return Object.fromEntries(entries);
}

/** Whether a number is the window of a tier whose limit switches it off. */
const isOff = (name: (typeof entryFields)[number], given: ReadonlyMap<string, unknown>): boolean =>
  Number(given.get(name.replace('window_bars', 'loss_limit'))) <= 0;

function readEntry(interval: string, value: unknown): CooldownEntry {
  const path = `cooldown_config.${interval}`;
  const given = new Map(entriesOf(path, value));
  given.delete('max_hold_time_hours');
  const published = new Map(Object.entries<CooldownEntry>(publishedCooldown)).get(interval);
  for (const name of entryFields) {
    const number = given.has(name) ? given.get(name) : (published?.[name] ?? (isOff(name, given) ? 0 : undefined));
    if (number === undefined) {
      const field = `${path}.${name}`;
      throw new EngineError('MISSING_FIELD', `${field} is required: an integer`, { field });
    }
    checkBounds(`${path}.${name}`, tierField, number);
    given.set(name, number);
  }
  for (const name of given.keys()) {
    if (!(entryFields as readonly string[]).includes(name)) throw unknownField(name, path, entryFields);
  }
  return Object.fromEntries(given) as Record<keyof CooldownEntry, number>;
}
