import { DAY_MS, formatInterval } from '../series/index.js';
import { checkBounds, entriesOf, unknownField } from './bounds.js';
import { type ExecutionConfig, type ExecutionFieldName, type ExecutionSettings, executionFields } from './config.js';
import { type CooldownEntry, readCooldownConfig } from './cooldown-config.js';
import { checkDetailInterval, checkPositionField } from './position-checks.js';
import { isPositionField, type PositionFieldName, positionDefaults, positionFieldNames } from './position-fields.js';
import { presetSettings } from './presets.js';
import { checkConfig, executionFieldNames, legacyCooldownFields, publishedDefaults } from './settings.js';
import { isVenueField, readVenueField, type Venue, venueFieldNames, venueWarning } from './venue.js';

/**
 * Settings as each source wrote them, highest precedence first. An absent or undefined key counts
 * as not given.
 */
export interface ConfigSources {
  /** The request's execution_config. */
  readonly request?: unknown;
  /** The request's top-level risk fields, and nothing else. */
  readonly riskFields?: unknown;
  /** The reward_factor of the strategy definition. */
  readonly strategyRewardFactor?: unknown;
  /** The saved strategy's execution_config. */
  readonly saved?: unknown;
  /** Length of the run interval in ms. */
  readonly interval: number;
  /**
   * Set where the run knows sides, margin, orders and guards: the settings of `positionFields` are
   * taken, and `preset`. Elsewhere they are refused as unknown.
   */
  readonly takesPositionFields?: boolean;
  /**
   * Set where the steps of a venue may stand among the settings: `round` for live orders, `warn` for
   * a run that says that it does not round. Elsewhere they are refused as unknown.
   */
  readonly venue?: 'round' | 'warn';
}

export interface ResolvedConfig {
  readonly config: ExecutionConfig;
  /** Of a venue; only live orders read them. */
  readonly venue: Venue;
  /** The caller logs them once per run. */
  readonly warnings: readonly string[];
}

/**
 * One flat config for a run. Each field comes from the highest source that gives it, with the
 * published defaults last. The cooldown tiers and the longest holding time are resolved for the run
 * interval.
 *
 * A cooldown_config from the caller (request, risk fields) beats everything. Without one, legacy
 * cooldown keys from the caller that differ from their published default beat saved and default
 * values, so the caller's values always win.
 *
 * @throws INVALID_FIELD for an unknown name or a value out of range, MISSING_FIELD for an
 *   incomplete cooldown entry
 */
export function resolveConfig(sources: ConfigSources): ResolvedConfig {
  const { takesPositionFields = false } = sources;
  const sided = takesPositionFields ? sources.interval : null;
  const takesVenue = sources.venue !== undefined;
  const request = readLayer('execution_config', sources.request, sided, takesVenue);
  const riskFields = readLayer('the risk fields', sources.riskFields);
  const strategy = readLayer('the strategy', { reward_factor: sources.strategyRewardFactor });
  const saved = readLayer('the saved execution_config', sources.saved, sided, takesVenue);

  const settings: Record<string, unknown> = { ...publishedDefaults };
  for (const layer of [saved, strategy, riskFields, request]) Object.assign(settings, Object.fromEntries(layer));
  const venue = venueOf(settings);
  for (const name of venueFieldNames) delete settings[name];
  for (const name of positionFieldNames) if (settings[name] === positionDefaults[name]) delete settings[name];
  const isCallersLegacy = givesLegacyCooldown(request) || givesLegacyCooldown(riskFields);
  if (isCallersLegacy) {
    // A legacy key that the caller leaves out takes the published default, not the saved strategy's
    // value.
    for (const name of legacyCooldownFields) {
      settings[name] = request.get(name) ?? riskFields.get(name) ?? publishedDefaults[name];
    }
  }
  if (choosesLegacyCooldown([request, riskFields], [saved])) settings.cooldown_config = null;
  const written = legacyCooldownFields.filter((name) =>
    isCallersLegacy
      ? choosesLegacy(request, name) || choosesLegacy(riskFields, name)
      : settings[name] !== publishedDefaults[name],
  );
  const resolved = resolveForInterval(settings as ExecutionSettings, sources.interval, written);
  const unrounded = sources.venue === 'round' ? null : venueWarning(venue);
  return { ...resolved, venue, warnings: [...resolved.warnings, ...(unrounded === null ? [] : [unrounded])] };
}

const venueOf = (settings: Readonly<Record<string, unknown>>): Venue => ({
  tick_size: readVenueField('tick_size', settings.tick_size ?? null),
  lot_size: readVenueField('lot_size', settings.lot_size ?? null),
});

type FieldName = ExecutionFieldName | PositionFieldName | keyof Venue;
type Layer = ReadonlyMap<FieldName, unknown>;
type LegacyCooldownField = (typeof legacyCooldownFields)[number];

/**
 * The values that a source gives, each within its bounds. A null cooldown_config counts as not
 * given.
 * @param sidedMs interval of a run that takes the settings of `positionFields` and a preset
 * @param takesVenue whether the steps of a venue may stand among them
 */
function readLayer(where: string, source: unknown, sidedMs: number | null = null, takesVenue = false): Layer {
  const layer = new Map<FieldName, unknown>();
  const written = new Map(entriesOf(where, source ?? {}));
  if (sidedMs !== null && written.has('preset')) {
    // In place of the name, so that the settings beside it win.
    const preset = entriesOf('preset', presetSettings(written.get('preset'), sidedMs));
    written.delete('preset');
    for (const [key, value] of preset) layer.set(key as FieldName, value);
    const isLegacy = legacyCooldownFields.some(
      (name) => written.has(name) && written.get(name) !== publishedDefaults[name],
    );
    if (isLegacy) layer.delete('cooldown_config');
  }
  for (const [key, value] of written) {
    if (sidedMs !== null && isPositionField(key)) {
      checkPositionField(key, value);
      layer.set(key, value);
      continue;
    }
    if (takesVenue && isVenueField(key)) {
      layer.set(key, readVenueField(key, value));
      continue;
    }
    if (!Object.hasOwn(publishedDefaults, key)) {
      const further = sidedMs === null ? [] : ['preset', ...positionFieldNames];
      const steps = takesVenue ? venueFieldNames : [];
      throw unknownField(key, where, [...executionFieldNames, ...further, ...steps]);
    }
    const name = key as ExecutionFieldName;
    if (name !== 'cooldown_config') {
      checkBounds(name, executionFields[name], value);
      layer.set(name, value);
    } else if (value !== null) layer.set(name, readCooldownConfig(value));
  }
  return layer;
}

/**
 * A legacy key with its published default is not a choice: clients send every default that they
 * know.
 */
const choosesLegacy = (layer: Layer, name: LegacyCooldownField): boolean =>
  layer.has(name) && layer.get(name) !== publishedDefaults[name];

const givesLegacyCooldown = (layer: Layer): boolean => legacyCooldownFields.some((name) => choosesLegacy(layer, name));

/** True when the first group that sets the cooldown sets it by legacy keys only. */
function choosesLegacyCooldown(...groups: Layer[][]): boolean {
  for (const group of groups) {
    if (group.some((layer) => layer.has('cooldown_config'))) return false;
    if (group.some(givesLegacyCooldown)) return true;
  }
  return false;
}

/** @param written legacy cooldown keys that were written by hand; defaults that apply need no word */
function resolveForInterval(
  settings: ExecutionSettings,
  intervalMs: number,
  written: readonly LegacyCooldownField[],
): Omit<ResolvedConfig, 'venue'> {
  const interval = formatInterval(intervalMs);
  const entry = new Map(Object.entries(settings.cooldown_config ?? {})).get(interval);
  const isWorthWord = entry === undefined && written.length > 0;
  const warnings = isWorthWord ? [legacyCooldownWarning(written, `cooldown_config has no ${interval} entry`)] : [];
  const { short_loss_limit, short_window_bars, long_loss_limit, long_window_bars } =
    entry ?? legacyEntry(settings, intervalMs);
  const config: ExecutionConfig = Object.freeze({
    ...settings,
    cooldown_short_loss_limit: short_loss_limit,
    cooldown_short_window_bars: short_window_bars,
    cooldown_long_loss_limit: long_loss_limit,
    cooldown_long_window_bars: long_window_bars,
    hold_limit_bars: holdLimitBars(settings, intervalMs),
  });
  checkConfig(config);
  checkDetailInterval(config.detail_interval ?? null, intervalMs, interval);
  return { config, warnings };
}

/** @param written the keys that were written, 1 or more */
export function legacyCooldownWarning(written: readonly LegacyCooldownField[], reason: string): string {
  const claim = written.length === 1 ? 'is deprecated but applies' : 'are deprecated but apply';
  return `${listed(written)} ${claim}: ${reason}`;
}

/** `a`, `a and b`, `a, b and c`. */
const listed = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ');

/** The weekly limit counts losses over seven days, or over cooldown_bars when that is longer. */
function legacyEntry(settings: ExecutionSettings, intervalMs: number): CooldownEntry {
  return {
    short_loss_limit: Math.ceil(settings.daily_momentum_limit), // a limit of 2.5 is reached at 3
    short_window_bars: settings.cooldown_bars,
    long_loss_limit: Math.ceil(settings.weekly_momentum_limit),
    long_window_bars: Math.max(settings.cooldown_bars, Math.ceil((7 * DAY_MS) / intervalMs)),
  };
}

function holdLimitBars({ max_hold_bars, max_hold_time_hours }: ExecutionSettings, intervalMs: number): number | null {
  if (max_hold_bars !== null && max_hold_bars > 0) return max_hold_bars;
  const bars = Math.ceil(((max_hold_time_hours ?? 0) * 3600) / (intervalMs / 1000));
  return bars > 0 ? bars : null;
}
