import { executionFields, findSignal, requireSignal } from '../../../engine/index.js';
import type { PlannedRule, Role, SettingValue } from '../candidate.js';
import type { Collected, Trail } from '../mind.js';

type Settings = Readonly<Record<string, SettingValue>>;

/** Words of names that stand for the other side of the market. */
const opposites: readonly (readonly [string, string])[] = [
  ['bullish', 'bearish'],
  ['up', 'down'],
  ['upper', 'lower'],
  ['above', 'below'],
  ['positive', 'negative'],
  ['overbought', 'oversold'],
  ['long', 'short'],
];
const oppositeOf = new Map(opposites.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]));

/** What a level of an indicator is on the other side, by the first part of the name or the function. */
const mirroredLevels: Readonly<Record<string, (level: number) => number>> = {
  ...Object.fromEntries(['rsi', 'stoch', 'mfi', 'uo', 'stc'].map((key) => [key, (level: number) => 100 - level])),
  ...Object.fromEntries(['cci', 'cmo', 'roc', 'tsi', 'cmf', 'mom'].map((key) => [key, (level: number) => -level])),
  stochrsi: (level) => 1 - level,
  stoch_rsi: (level) => 1 - level,
  williams_r: (level) => -100 - level,
};

const levelOf = (name: string, level: number): number | null => {
  const key = Object.keys(mirroredLevels).find((each) => name.startsWith(`${each}_`) || name === each);
  return key === undefined ? null : Number((mirroredLevels[key]?.(level) ?? level).toPrecision(12));
};

/** The rule that says of falling prices what a rule says of rising ones; null where none does. */
export function mirrored(rule: PlannedRule): PlannedRule | null {
  if (rule.name === 'formula') return mirroredFormula(rule);
  const signal = requireSignal(rule.name);
  if (signal.bias === 'by_direction') {
    const direction = rule.params.direction === 'bearish' ? 'bullish' : 'bearish';
    return { ...rule, params: { ...rule.params, direction } };
  }
  if (signal.bias === 'neutral') return rule;
  const average = /^(?:is_above|price_above)_(\w+)$/.exec(rule.name)?.[1];
  if (average !== undefined && 'window' in rule.params)
    return formulaOf(
      rule,
      `close < ${average === 'vwma' ? 'vwma(' : `${average}(close, `}${String(rule.params.window)})`,
    );
  const name = rule.name
    .split('_')
    .map((word) => oppositeOf.get(word) ?? word)
    .join('_');
  const other = findSignal(name);
  if (other === undefined || name === rule.name) return null;
  const params = Object.fromEntries(Object.entries(rule.params).filter(([key]) => key in other.params));
  if (typeof params.threshold !== 'number') return { ...rule, name, params };
  const threshold = levelOf(rule.name, params.threshold);
  return threshold === null ? null : { ...rule, name, params: { ...params, threshold } };
}

const formulaOf = (rule: PlannedRule, when: string): PlannedRule => ({ ...rule, name: 'formula', params: { when } });

const COMPARED = /^(.+) ([<>]) (.+)$/;
const CROSSED = /^crosses_(above|below)\((.+), (-?[\w.()[\], ]+)\)$/;

function mirroredFormula(rule: PlannedRule): PlannedRule | null {
  const when = String(rule.params.when);
  const crossed = CROSSED.exec(when);
  const compared = crossed === null ? COMPARED.exec(when) : null;
  if (crossed === null && compared === null) return null;
  const swapped = when
    .replace(/_(upper|lower)\(/g, (_, side: string) => `_${side === 'upper' ? 'lower' : 'upper'}(`)
    .replace(/\b(highest|lowest)\((high|low), /g, (_, name: string) =>
      name === 'highest' ? 'lowest(low, ' : 'highest(high, ',
    )
    .replace(/crosses_(above|below)/, (_, way: string) => `crosses_${way === 'above' ? 'below' : 'above'}`)
    .replace(/ ([<>]) /, (_, sign: string) => ` ${sign === '<' ? '>' : '<'} `);
  const level = /(?<=(?:[<>]|,) )-?\d+(?:\.\d+)?(?=\)?$)/;
  const found = level.exec(swapped);
  const name = /^(?:crosses_(?:above|below)\()?([a-z_]+)\(/.exec(swapped)?.[1];
  const isLevel =
    found !== null &&
    (compared !== null || swapped.lastIndexOf('(') < (found.index ?? 0)) &&
    /[)] [<>] |\), -?\d/.test(swapped);
  if (!isLevel || found === null || name === undefined) return formulaOf(rule, swapped);
  const mirror = levelOf(name, Number(found[0]));
  return mirror === null ? null : formulaOf(rule, swapped.replace(level, String(mirror)));
}

/** The rules of the other side; null where one of them has none. */
export function mirroredAll(rules: readonly PlannedRule[]): readonly PlannedRule[] | null {
  const found = rules.map(mirrored);
  return found.includes(null) ? null : (found as PlannedRule[]);
}

/** The share of the entry price at which a fixed stop stands; null for other stops. */
const fixedStop = ({ stop_loss_calculation, fixed_stop_pct }: Settings): number | null =>
  stop_loss_calculation === 'fixed' && typeof fixed_stop_pct === 'number' ? fixed_stop_pct : null;

/** Settings of a stop that follows the price: multiples of the distance of the stop. */
export function trailSettings(trail: Trail | null, settings: Settings): Settings {
  if (trail === null) return {};
  const stop = fixedStop(settings) ?? trail.share ?? trail.start;
  const times = (share: number | null, none: number) =>
    share === null || stop === null ? none : Number((share / stop).toPrecision(12));
  const ownStop =
    fixedStop(settings) === null && stop !== null ? { stop_loss_calculation: 'fixed', fixed_stop_pct: stop } : {};
  return {
    ...ownStop,
    trailing_distance: times(trail.share, 1),
    ...(trail.start === null ? {} : { trailing_start: times(trail.start, 0) }),
  };
}

interface Liquidation {
  readonly leverage: number;
  /** Move against the position that liquidates it, as a share of the entry price; the nearer side. */
  readonly share: number;
  /** Whether the stop lies at or behind it. */
  readonly isBeforeStop: boolean;
}

/** Where the venue closes positions of a conversation; null where none borrows. */
export function liquidationOf({
  settings,
  sides,
  trail,
}: Pick<Collected, 'settings' | 'sides' | 'trail'>): Liquidation | null {
  const leverage = Number(settings.leverage ?? 1);
  if (leverage <= 1) return null;
  const maintenance = Number(settings.maintenance_margin ?? executionFields.maintenance_margin.default);
  const long = 1 - (1 - 1 / leverage) / (1 - maintenance);
  const short = (1 + 1 / leverage) / (1 + maintenance) - 1;
  const share = sides === 'long' ? long : sides === 'short' ? short : Math.min(long, short);
  const hasStop = settings.stop_order !== false;
  const stop = hasStop ? fixedStop({ ...settings, ...trailSettings(trail, settings) }) : null;
  return { leverage, share, isBeforeStop: stop !== null && stop >= share };
}

/** The rules of the short side: those of the user, or what the long ones say on the other side. */
export function shortSideOf({ sides, entry, exit, short_entry, short_exit }: Pick<Collected, 'sides' | Role>): {
  readonly entry: readonly PlannedRule[];
  readonly exit: readonly PlannedRule[];
} | null {
  if (short_entry.length > 0) return { entry: short_entry, exit: short_exit };
  if (sides === 'long' || entry.length === 0) return { entry: [], exit: [] };
  const opposite = mirroredAll(entry);
  return opposite === null
    ? null
    : { entry: opposite, exit: short_exit.length > 0 ? short_exit : (mirroredAll(exit) ?? []) };
}
