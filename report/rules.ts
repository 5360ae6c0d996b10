import { executionFields } from '../engine/index.js';
import { numberLabel, settingText } from './format.js';
import { escapeHtml, pairTable } from './html.js';
import type { SheetRule, TearSheet } from './sheet.js';

/** Such as `sma_cross_up: window_fast 10, window_slow 70`. */
export function ruleText({ name, params, timeframe }: SheetRule): string {
  const list = Object.entries(params).map(([key, value]) => `${key} ${paramText(value)}`);
  return `${name}${timeframe === null ? '' : ` on ${timeframe}`}${list.length === 0 ? '' : `: ${list.join(', ')}`}`;
}

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
export function ruleList(entry: readonly SheetRule[], exit: readonly SheetRule[], more = ''): string {
  const list = (rules: readonly SheetRule[]) => rules.map(ruleItem).join('');
  const leaves = exit.length === 0 ? '<li>the stop or target is hit; there is no exit rule</li>' : list(exit);
  return `<dl class="rules"><dt>Enters when</dt><dd><ul>${list(entry)}</ul></dd><dt>Leaves when</dt><dd><ul>${leaves}</ul></dd>${more}</dl>`;
}

const descriptions: Readonly<Record<string, { readonly description: string }>> = executionFields;

/** Splits the settings into those that differ from the defaults of the run and the others. */
function splitSettings({ execution, executionDefaults }: TearSheet) {
  const isOwn = ([name, value]: [string, unknown]) => settingText(value) !== settingText(executionDefaults[name]);
  const all = Object.entries(execution);
  return { own: all.filter(isOwn), others: all.filter((one) => !isOwn(one)) };
}

/** The rules, and the settings that differ from the defaults. */
export function strategyPanel(sheet: TearSheet): string {
  const { rules, executionDefaults } = sheet;
  const { own } = splitSettings(sheet);
  const rows = own.map(([name, value]) => {
    const meaning = descriptions[name]?.description;
    const usual = `default ${settingText(executionDefaults[name])}`;
    return [name, settingText(value), meaning === undefined ? usual : `${meaning}; ${usual}`] as const;
  });
  const settings =
    rows.length === 0
      ? '<p>All execution settings are at their defaults.</p>'
      : `<h3 class="own">Execution settings that differ from the defaults</h3>${pairTable('Settings that differ from the defaults', rows, 'figures')}`;
  return `<div class="two">${ruleList(rules.entry, rules.exit)}<div>${settings}</div></div>`;
}

export const otherSettings = (sheet: TearSheet): Readonly<Record<string, unknown>> =>
  Object.fromEntries(splitSettings(sheet).others);
