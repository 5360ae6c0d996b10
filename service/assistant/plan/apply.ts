import { EngineError } from '../../../engine/errors.js';
import { checkBounds, type ExecutionField, executionFields, resolveConfig } from '../../../engine/execution/index.js';
import { indicatorFunctions, resolveParams } from '../../../engine/indicators/index.js';
import { parseInterval } from '../../../engine/series/index.js';
import { requireSignal } from '../../../engine/signals/index.js';
import {
  type Change,
  isNamed,
  noChange,
  type Plan,
  type PlannedRule,
  planAssets,
  type Role,
  type RuleEdit,
  roles,
  type SaidRule,
  type SettingValue,
} from './plan.js';
import { ruleWords } from './say.js';

/** What a plan may name: assets by symbol, with the names that people have for them. */
export interface World {
  /** Assets that have bars. */
  readonly held: readonly string[];
  readonly names: ReadonlyMap<string, readonly string[]>;
}

/** What stands in for points that the user leaves open. */
export const usual = { asset: 'BTC', timeframe: '1h', style: 'trend' } as const;

/** Why a change cannot be; its message is for the user. */
export class Refused extends Error {}

/**
 * The plan after a change: the one check of what both readers make, against the catalogue, the table
 * of settings and the assets that are held.
 * @throws Refused with the name, the bound and the value
 */
export function applied(plan: Plan, change: Change, world: World): Plan {
  const placed: Plan = {
    ...plan,
    ...accountAfter(plan, change, world),
    ...windowAfter(plan, change),
    timeframe: change.interval ?? plan.timeframe,
    style: change.style ?? (change.rules.some(({ edit }) => edit === 'set') ? null : plan.style),
    count: change.candidates ?? plan.count,
    leaves_choice: plan.leaves_choice || change.leaves_choice === true,
    settings: acting({ ...withoutOther(plan.settings, change), ...changedSettings(change) }),
    trail: change.trail ?? (stopsAgain(change) ? null : plan.trail),
  };
  const edited = change.rules.reduce(withEdit, placed);
  checkComposition(edited, change);
  const moved = eachRole((role) => edited[role].map((rule) => ({ ...rule, timeframe: planTimeframe(edited) })));
  const next = { ...edited, ...moved };
  checkSettings(next);
  return next;
}

/** Settings without the other distance of an entry order, where a change sets one. */
function withoutOther(settings: Plan['settings'], change: Change): Plan['settings'] {
  const own = change.settings.map(({ name }) => name).find((name) => name.startsWith('entry_offset_'));
  return own === undefined
    ? settings
    : Object.fromEntries(Object.entries(settings).filter(([name]) => !name.startsWith('entry_offset_')));
}

/** Settings, except the ones that only say that a stop and a target are the usual ones. */
function acting({ stop_order, target_calculation, ...settings }: Plan['settings']): Plan['settings'] {
  return {
    ...settings,
    ...(stop_order === undefined || stop_order === true ? {} : { stop_order }),
    ...(target_calculation === undefined || target_calculation === 'reward' ? {} : { target_calculation }),
  };
}

const planTimeframe = ({ timeframe }: Plan): string => timeframe ?? usual.timeframe;

/** Another stop is no longer the one that moved, unless it is said to move. */
const stopsAgain = ({ settings }: Change): boolean =>
  settings.some(({ name, value }) => name === 'stop_order' && value === false);

function accountAfter(plan: Plan, { assets }: Change, { held, names }: World): Partial<Plan> {
  if (assets === null) return {};
  const found = [...new Set(assets.map((said) => findSymbol(said, names, held)))];
  const unknown = found.find((asset) => !held.includes(asset));
  if (unknown !== undefined) throw new Refused(`There are no bars of ${unknown}; held are ${held.join(', ')}.`);
  const [asset = plan.asset] = found;
  return { asset, portfolio: found.length > 1 ? found : [] };
}

/** The symbol of an asset by its ticker or its name. */
export function findSymbol(said: string, names: World['names'], held: readonly string[]): string {
  const wanted = said.toLowerCase();
  const known = [...new Set([...held, ...names.keys()])];
  return (
    known.find((symbol) => symbol.toLowerCase() === wanted || names.get(symbol)?.includes(wanted)) ?? said.toUpperCase()
  );
}

function windowAfter(plan: Plan, { start, end, last_months }: Change): Partial<Plan> {
  if (last_months !== null && (start !== null || end !== null))
    throw new Refused('Say either the last months or the days of the window.');
  if (last_months !== null) return { start_date: null, end_date: null, lookback_months: last_months };
  if (start === null && end === null) return {};
  const dayOf = (said: string | null, before: string | null) =>
    said === null ? before : said === 'none' ? null : said;
  const [from, to] = [dayOf(start, plan.start_date), dayOf(end, plan.end_date)];
  for (const day of [from, to]) {
    if (day !== null && !isDay(day)) throw new Refused(`There is no day ${day}.`);
  }
  if (from !== null && to !== null && from >= to)
    throw new Refused(`The window would start on ${from} and end on ${to}: say both.`);
  const lookback_months = start === null ? plan.lookback_months : null;
  return { start_date: from, end_date: to, lookback_months };
}

const isDay = (day: string): boolean => {
  const time = new Date(`${day}T00:00:00Z`).getTime();
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(day);
};

const changedSettings = ({ settings }: Change): Readonly<Record<string, SettingValue>> =>
  Object.fromEntries(settings.map(({ name, value }) => [name, value]));

function checkSettings(plan: Plan): void {
  orRefused(() => {
    for (const [name, value] of Object.entries(plan.settings)) {
      const field = executionFields[name as keyof typeof executionFields] as ExecutionField | undefined;
      if (field !== undefined && field.kind !== 'pairs') checkBounds(name, field, value);
    }
    const interval = parseInterval(planTimeframe(plan));
    resolveConfig({ request: executionSettings(plan), interval, takesPositionFields: true });
  });
}

/** What rules of the user and the signals of a style leave out of each other. */
function checkComposition(plan: Plan, change: Change): void {
  if (!isNamed(plan)) return;
  if (change.style !== null)
    throw new Refused('The plan has rules, so a style would not act: say "start over", or change the rules.');
  if (plan.count !== null && plan.count > 1)
    throw new Refused('Rules that you name make one candidate; several candidates go with a style.');
}

/** Tries what the engine checks; its refusal is an answer. */
function orRefused<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof EngineError) throw new Refused(`${error.message}.`);
    throw error;
  }
}

/** The settings with which a plan runs, beside the defaults. */
export function executionSettings({ settings, trail }: Pick<Plan, 'settings' | 'trail'>): Plan['settings'] {
  const all = { ...settings, ...trailSettings(settings, trail) };
  return Object.fromEntries(
    Object.entries(all).filter(([name, value]) => {
      const field = executionFields[name as keyof typeof executionFields] as ExecutionField;
      return field.isLeftOut !== true || field.default !== value;
    }),
  );
}

/** A stop that follows the price: multiples of the distance of the stop. */
function trailSettings(settings: Plan['settings'], trail: Plan['trail']): Plan['settings'] {
  if (trail === null) return {};
  const { stop_loss_calculation: way, fixed_stop_pct: share } = settings;
  const stop = way === 'fixed' && typeof share === 'number' ? share : trail.share;
  const times = (distance: number) => Number((distance / stop).toPrecision(12));
  return {
    stop_loss_calculation: 'fixed',
    fixed_stop_pct: stop,
    trailing_distance: times(trail.share),
    ...(trail.from === null ? {} : { trailing_start: times(trail.from) }),
  };
}

const eachRole = (of: (role: Role) => readonly PlannedRule[]): Pick<Plan, Role> => ({
  entry: of('entry'),
  exit: of('exit'),
  short_entry: of('short_entry'),
  short_exit: of('short_exit'),
});

/** The first rule of a list is its event, and the others must hold beside it. */
function placed(rules: readonly PlannedRule[]): PlannedRule[] {
  const event = rules.find(({ name }) => name === 'formula' || requireSignal(name).type === 'TRIGGER') ?? rules[0];
  const sorted = event === undefined ? [] : [event, ...rules.filter((rule) => rule !== event)];
  return sorted.map((rule, i) => ({ ...rule, signal_type: i === 0 ? 'TRIGGER' : 'FILTER' }));
}

function withEdit(plan: Plan, edit: RuleEdit): Plan {
  switch (edit.edit) {
    case 'set':
      return { ...plan, [edit.role]: placed(edit.rules.map(toPlannedRule)) };
    case 'add':
      if (plan[edit.role].length === 0 && edit.role.endsWith('entry'))
        throw new Refused('There is no rule yet that this could join: say "buy when …" first.');
      return {
        ...plan,
        [edit.role]: placed([...plan[edit.role], ...edit.rules.map(toPlannedRule).filter(isNew(plan[edit.role]))]),
      };
    case 'remove':
      return without(plan, edit.name);
    default:
      return withNumber(plan, edit);
  }
}

/** Whether a condition does not stand in a list yet. */
const isNew = (rules: readonly PlannedRule[]) => {
  const known = new Set(rules.map(ruleWords));
  return (rule: PlannedRule): boolean => !known.has(ruleWords(rule));
};

function toPlannedRule({ signal, params }: SaidRule): PlannedRule {
  const given = Object.fromEntries(params.map(({ name, value }) => [name, value]));
  const checked = orRefused(() => {
    const found = requireSignal(signal);
    return { name: found.name, params: resolveParams(found, given) };
  });
  return { ...checked, signal_type: 'TRIGGER', timeframe: usual.timeframe };
}

/** Whether a rule is of a signal or of an indicator. */
function isCalled({ name, params }: Pick<PlannedRule, 'name' | 'params'>, said: string): boolean {
  const wanted = said.toLowerCase().replaceAll(' ', '_');
  return name === 'formula'
    ? calledFunctions(String(params.when)).some((call) => call === wanted || call.startsWith(`${wanted}_`))
    : `_${name}_`.includes(`_${wanted}_`);
}

/** The functions that a formula calls. Bounded because a formula has at most 2,000 characters. */
const calledFunctions = (when: string): string[] => [...when.matchAll(/([a-z_\d]+)\(/g)].map(([, name = '']) => name);

function without(plan: Plan, said: string): Plan {
  const kept = eachRole((role) => placed(plan[role].filter((rule) => !isCalled(rule, said))));
  const count = (rules: Pick<Plan, Role>) => roles.reduce((sum, role) => sum + rules[role].length, 0);
  if (count(kept) === count(plan)) throw new Refused(`No rule of the plan has ${said}.`);
  return { ...plan, ...kept };
}

type NumberEdit = Extract<RuleEdit, { readonly edit: 'number' }>;

function withNumber(plan: Plan, edit: NumberEdit): Plan {
  const held = roles.flatMap((role) =>
    plan[role].flatMap((rule) => {
      const place = findPlace(rule, edit);
      return place === null ? [] : [{ rule, place }];
    }),
  );
  const said = edit.name === null ? edit.param : `${edit.param} of ${edit.name}`;
  if (held.length === 0) throw new Refused(`No rule of the plan has ${said}.`);
  if (new Set(held.map(({ place }) => place.value)).size > 1) {
    const rules = held.map(({ rule }) => ruleWords(rule)).join('; ');
    throw new Refused(`Several rules have ${said}: ${rules}. Say the rule anew with its number.`);
  }
  const changed = new Map(held.map(({ rule, place }) => [rule, place.with(edit.value)]));
  return {
    ...plan,
    ...eachRole((role) =>
      plan[role].map((rule) => {
        const params = changed.get(rule);
        if (params === undefined) return rule;
        return { ...rule, params: orRefused(() => resolveParams(requireSignal(rule.name), params)) };
      }),
    ),
  };
}

interface Place {
  readonly value: number;
  with(value: number): PlannedRule['params'];
}

/** Other words for parameters, each with the names that signals and functions have for it. */
const paramNames: Readonly<Record<string, readonly string[]>> = {
  window: ['window', 'n', 'period'],
  fast: ['window_fast', 'fast'],
  slow: ['window_slow', 'slow'],
  signal: ['window_sign', 'signal'],
  multiplier: ['multiplier', 'window_dev', 'deviations', 'kc_atr_mult'],
};
/** The name of a parameter that a word means. */
const paramKeys = (param: string): readonly string[] =>
  Object.values(paramNames).find((names) => names.includes(param)) ??
  (param === 'length' ? (paramNames.window as string[]) : param === 'level' ? ['threshold'] : [param]);

/** Where a rule has the number that is meant; null where it has none or several. */
function findPlace(rule: PlannedRule, { name, param }: NumberEdit): Place | null {
  if (name !== null && !isCalled(rule, name)) return null;
  const keys = paramKeys(param);
  if (rule.name !== 'formula') {
    const key = keys.find((each) => typeof rule.params[each] === 'number');
    return key === undefined
      ? null
      : { value: Number(rule.params[key]), with: (value) => ({ ...rule.params, [key]: value }) };
  }
  const when = String(rule.params.when);
  const spans = keys.includes('threshold') ? findLevel(when) : findArguments(when, name, keys);
  const [span] = spans;
  if (span === undefined || spans.length > 1) return null;
  const text = (value: number) => `${when.slice(0, span.from)}${value}${when.slice(span.to)}`;
  return { value: Number(when.slice(span.from, span.to)), with: (value) => ({ ...rule.params, when: text(value) }) };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The level with which a formula compares, where it ends with one. */
const findLevel = (when: string): Span[] =>
  [...when.matchAll(/(?:[<>]=? |, )(-?\d+(?:\.\d+)?)\)?$/dg)]
    .filter(([all]) => !all.startsWith(',') || when.startsWith('crosses_'))
    .map(({ indices }) => ({ from: indices?.[1]?.[0] ?? 0, to: indices?.[1]?.[1] ?? 0 }));

/** The numbers that formulas give to a parameter of their functions. */
function findArguments(when: string, name: string | null, keys: readonly string[]): Span[] {
  // Bounded because a formula has at most 2,000 characters.
  return [...when.matchAll(/([a-z_\d]+)\(([^()]*)\)/dg)].flatMap((call) => {
    const [, called = '', inside = ''] = call;
    const known = indicatorFunctions.get(called);
    if (known === undefined || (name !== null && !isCalled({ name: 'formula', params: { when: `${called}(` } }, name)))
      return [];
    const at = known.params.findIndex((each) => keys.includes(each.name));
    if (at < 0) return [];
    const parts = inside.split(',');
    const place = at + (known.takesColumn ? 1 : 0);
    const part = parts[place];
    if (part === undefined) return [];
    const before = parts.slice(0, place).reduce((sum, each) => sum + each.length + 1, 0);
    const from = (call.indices?.[2]?.[0] ?? 0) + before + (part.length - part.trimStart().length);
    return [{ from, to: from + part.trim().length }];
  });
}

/** A change of the assets of an account: one more, or one less. */
export function assetsChange(plan: Plan, edit: 'add' | 'remove', asset: string): Change {
  const before = planAssets(plan);
  if (edit === 'add') return { ...noChange, assets: [...new Set([...before, asset])] };
  if (!before.includes(asset) || before.length < 2)
    throw new Refused(`The plan does not trade ${asset} beside others.`);
  return { ...noChange, assets: before.filter((each) => each !== asset) };
}
