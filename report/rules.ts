import {
  type ExecutionConfig,
  executionFields,
  type FullConfig,
  fieldOf,
  fullConfig,
  positionFieldNames,
} from '../engine/execution/index.js';
import { byMemberText } from '../engine/portfolio/index.js';
import { ruleGroups, sideLabel } from '../engine/sweep/index.js';
import { NONE, numberLabel, percent } from './format.js';
import { escapeHtml, pairTable } from './html.js';
import type { SheetRule, SheetRules, TearSheet } from './sheet.js';

/** Such as `sma_cross_up: window_fast 10, window_slow 70`, or `not rsi_oversold of BTC on 1d`. */
function ruleText({ name, params, timeframe, negate, withinBars, asset }: SheetRule): string {
  const list = Object.entries(params).map(([key, value]) => `${key} ${paramText(value)}`);
  const place = `${asset === undefined ? '' : ` of ${asset}`}${timeframe === null ? '' : ` on ${timeframe}`}`;
  const reach = withinBars === undefined ? '' : ` within ${withinBars} bars`;
  return `${negate === true ? 'not ' : ''}${name}${place}${reach}${list.length === 0 ? '' : `: ${list.join(', ')}`}`;
}

/** The rules of a side in one line: all rules of one of its groups must hold. */
export const sideText = (rules: readonly SheetRule[]): string => sideLabel(rules, ruleText);

/** Parameters of a refused rule may have any type. */
const paramText = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'string' ? numberLabel(value) : settingText(value);

const roles = { TRIGGER: 'Trigger.', FILTER: 'Filter.' } as const;

function ruleItem(rule: SheetRule): string {
  const refusal = rule.refusal ?? null;
  const mark = refusal === null ? '' : ` <em class="refused">refused: ${escapeHtml(refusal)}</em>`;
  const small = `<small>${roles[rule.role]} ${escapeHtml(rule.description)}</small>`;
  return `<li><b>${escapeHtml(ruleText(rule))}</b>${mark}${small}</li>`;
}

/** The rules for entry and exit. `more` adds rows to the list. */
export function ruleList(
  entry: readonly SheetRule[],
  exit: readonly SheetRule[],
  more = '',
  [enters, leavesWhen] = ['Enters when', 'Leaves when'],
): string {
  const leaves = exit.length === 0 ? '<li>the stop or target is hit; there is no exit rule</li>' : items(exit);
  return `<dl class="rules"><dt>${enters}</dt><dd><ul>${items(entry)}</ul></dd><dt>${leavesWhen}</dt><dd><ul>${leaves}</ul></dd>${more}</dl>`;
}

/** The rules as a list; of several groups, one must hold. */
function items(rules: readonly SheetRule[]): string {
  const lists = ruleGroups(rules).map((group) => group.map(ruleItem).join(''));
  if (lists.length < 2) return lists.join('');
  return lists.map((list, i) => `<li>${i === 0 ? 'either' : 'or'}<ul>${list}</ul></li>`).join('');
}

/** The rules of all sides that a strategy has. */
function sidesList({ entry, exit, shortEntry, shortExit = [] }: SheetRules, words: readonly string[]): string {
  const orders =
    words.length === 0
      ? ''
      : `<dt>Orders</dt><dd><ul>${words.map((text) => `<li>${escapeHtml(text)}</li>`).join('')}</ul></dd>`;
  if (shortEntry === undefined) return ruleList(entry, exit, orders);
  const leaves =
    shortExit.length === 0 ? '<li>stop, target or a limit ends it; there is no exit rule</li>' : items(shortExit);
  const short = `<dt>Sells short when</dt><dd><ul>${items(shortEntry)}</ul></dd><dt>Buys back when</dt><dd><ul>${leaves}</ul></dd>${orders}`;
  return entry.length === 0
    ? `<dl class="rules">${short}</dl>`
    : ruleList(entry, exit, short, ['Buys when', 'Sells when']);
}

const descriptions: Readonly<Record<string, { readonly description: string }>> = {
  ...executionFields,
  ...Object.fromEntries(positionFieldNames.map((name) => [name, fieldOf(name)])),
};

/** Settings of sides, margin and orders are left out of a config that does not use them. */
const positionDefaults: Readonly<Record<string, unknown>> = Object.fromEntries(
  positionFieldNames.map((name) => [name, fieldOf(name).default]),
);

/** Splits the settings into settings that differ from the defaults of the run, and the others. */
function splitSettings({ execution, executionDefaults }: TearSheet) {
  const isOwn = ([name, value]: [string, unknown]) => settingText(value) !== settingText(executionDefaults[name]);
  const all = Object.entries(execution);
  return { own: all.filter(isOwn), others: all.filter((one) => !isOwn(one)) };
}

/** A longer default, an object, would push the settings apart. */
const DEFAULT_LENGTH_MAX = 100;

/** The rules, and the settings that differ from the defaults. */
export function strategyPanel(sheet: TearSheet): string {
  const { rules } = sheet;
  const executionDefaults = { ...positionDefaults, ...sheet.executionDefaults };
  const { own } = splitSettings(sheet);
  const rows = own.map(([name, value]) => {
    const meaning = descriptions[name]?.description;
    const text = settingText(executionDefaults[name]);
    const usual = text.length > DEFAULT_LENGTH_MAX ? 'its default is in the reference' : `default ${text}`;
    return [name, settingText(value), meaning === undefined ? usual : `${meaning}; ${usual}`] as const;
  });
  const settings =
    rows.length === 0
      ? '<p>All execution settings are at their defaults.</p>'
      : `<h3 class="own">Execution settings that differ from the defaults</h3>${pairTable('Settings that differ from the defaults', rows, 'figures')}`;
  return `<div class="two">${sidesList(rules, orderWords(sheet))}<div>${settings}</div></div>`;
}

export const otherSettings = (sheet: TearSheet): Readonly<Record<string, unknown>> =>
  Object.fromEntries(splitSettings(sheet).others);

/** A setting as text: numbers as in JSON, nested objects as JSON that can wrap. */
export function settingText(value: unknown): string {
  if (value instanceof Map) return byMemberText(value, settingText);
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && !Number.isFinite(value)) return NONE;
  return value === undefined ? NONE : JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');
}

const DIGITS_MAX = 3;

/** With as many decimals as it needs: `2 %`, `0.4 %`. */
function share(fraction: number): string {
  let digits = 0;
  while (digits < DIGITS_MAX && Math.abs(Number((100 * fraction).toFixed(digits)) - 100 * fraction) > 1e-9) digits++;
  return percent(fraction, digits);
}
const times = (count: number, noun: string): string => `${numberLabel(count)} ${noun}${count === 1 ? '' : 's'}`;
const distances = (count: number): string => times(count, 'stop distance');

/** How a strategy trades beyond buying at the market with a stop and a target that stay, in words. */
function orderWords({ execution }: Pick<TearSheet, 'execution'>): string[] {
  const config = fullConfig(execution as ExecutionConfig);
  return [entries, margin, stops, targets, parts, opposite, guards].flatMap((words) => words(config));
}

function entries({ entry_order, entry_offset_pct, entry_offset_atr, entry_valid_bars }: FullConfig): string[] {
  if (entry_order === 'market') return [];
  const offset = entry_offset_pct === null ? `${numberLabel(entry_offset_atr ?? 0)} ATR` : share(entry_offset_pct);
  const where = entry_order === 'limit' ? 'better than the close' : 'beyond the close';
  return [`entries are ${entry_order} orders ${offset} ${where}, good for ${times(entry_valid_bars, 'bar')}`];
}

function margin({ leverage, borrow_rate, max_gross_exposure }: FullConfig): string[] {
  return [
    ...(leverage === 1 ? [] : [`positions are ${numberLabel(leverage)} times their margin, and can be liquidated`]),
    ...(borrow_rate === 0 ? [] : [`what is borrowed costs ${share(borrow_rate)} a year`]),
    ...(max_gross_exposure === null
      ? []
      : [`all positions together are at most ${numberLabel(max_gross_exposure)} times the account`]),
  ];
}

function stops(config: FullConfig): string[] {
  if (!config.stop_order) return ['no stop is placed; its distance still sets size and target'];
  const { trailing_distance, trailing_start, break_even_at, break_even_offset_pct } = config;
  const from = trailing_start === 0 ? '' : ` once it has gained ${distances(trailing_start)}`;
  const beside = break_even_offset_pct === 0 ? '' : ` and ${share(break_even_offset_pct)}`;
  return [
    ...(trailing_distance === null ? [] : [`the stop trails the best price by ${distances(trailing_distance)}${from}`]),
    ...(break_even_at === null
      ? []
      : [`the stop moves to the entry${beside} once the price has gained ${distances(break_even_at)}`]),
  ];
}

function targets(config: FullConfig): string[] {
  const { target_calculation, fixed_target_pct, target_schedule, target_order } = config;
  const limit = target_order === 'limit' ? ['targets and parts are limit orders: a touch does not fill them'] : [];
  if (target_calculation === 'none') return ['there is no target', ...limit];
  if (target_calculation === 'fixed') return [`the target is ${share(fixed_target_pct)} from the entry`, ...limit];
  if (target_calculation === 'reward') return limit;
  const steps = (target_schedule ?? []).map(([bars, pct]) =>
    bars === 0 ? `${share(pct)} at first` : `${share(pct)} after ${times(bars, 'bar')}`,
  );
  return [`the target is ${steps.join(', ')}`, ...limit];
}

function parts({ scale_out }: FullConfig): string[] {
  if (scale_out === null) return [];
  const steps = scale_out.map(([at, part]) => `${share(part)} at ${distances(at)}`);
  return [`parts are sold on the way: ${steps.join(', ')}`];
}

function opposite({ opposite_entry }: FullConfig): string[] {
  const words: Readonly<Record<string, string>> = {
    close: 'an entry of the other side closes what is open and opens nothing',
    reverse: 'an entry of the other side closes what is open and takes its place',
    hedge: 'both sides may be open at once',
  };
  const said = words[opposite_entry];
  return said === undefined ? [] : [said];
}

function guards(config: FullConfig): string[] {
  const { guard_max_drawdown, guard_daily_loss, guard_group_stop, guard_pause_bars } = config;
  const pause = guard_pause_bars === 0 ? 'for the rest of the run' : `for ${times(guard_pause_bars, 'bar')}`;
  return [
    ...(guard_max_drawdown === null
      ? []
      : [`a drawdown of ${share(guard_max_drawdown)} closes everything and stops entries ${pause}`]),
    ...(guard_daily_loss === null
      ? []
      : [`a loss of ${share(guard_daily_loss)} in a day closes everything and stops entries to its end`]),
    ...(guard_group_stop === null
      ? []
      : [`an open loss of ${share(guard_group_stop)} of the account closes everything and stops entries ${pause}`]),
  ];
}
