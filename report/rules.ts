import { executionFields, fieldOf, positionFieldNames } from '../engine/execution/index.js';
import { ruleGroups, sideLabel } from '../engine/sweep/index.js';
import { numberLabel } from './format.js';
import { escapeHtml, pairTable } from './html.js';
import { orderWords } from './order-words.js';
import { settingText } from './setting-text.js';
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
