import { z } from 'zod';
import { executionFields } from '../../../engine/execution/index.js';
import { apiTimeframes } from '../../../engine/series/index.js';
import { roles } from './candidate.js';

/** The settings of a run that a message may name: numbers, switches and choices, and the falling target. */
export const settingNames = Object.entries(executionFields)
  .filter(([, { kind }]) => kind !== 'object')
  .map(([name]) => name) as [string, ...string[]];

export const styles = ['trend', 'mean_reversion', 'breakout', 'momentum', 'flows'] as const;
export type Style = (typeof styles)[number];

/** Most candidates of a conversation. */
export const CANDIDATES_MAX = 8;

const text = z.string().min(1).max(2_000);
const value = z.union([z.number(), z.boolean(), z.string(), z.array(z.tuple([z.number(), z.number()]))]);

const rule = z.strictObject({
  signal: text.describe('name of a signal of the catalogue, or "formula"'),
  params: z
    .array(z.strictObject({ name: text, value: z.union([z.number(), z.boolean(), z.string()]) }))
    .describe('its parameters; {"name": "when", "value": "rsi(close, 14) < 30"} for a formula'),
});
export type SaidRule = z.infer<typeof rule>;

const role = z.enum(roles).describe('entry buys, exit sells, short_entry sells short, short_exit buys back');

const ruleEdit = z.discriminatedUnion('edit', [
  z.strictObject({
    edit: z.literal('set').describe('all rules of this list, which must hold together'),
    role,
    rules: z.array(rule),
  }),
  z.strictObject({ edit: z.literal('add').describe('one more condition of this list'), role, rules: z.array(rule) }),
  z.strictObject({ edit: z.literal('remove'), name: text.describe('signal or indicator, such as adx') }),
  z.strictObject({
    edit: z.literal('number'),
    name: text.nullable().describe('signal or indicator whose number it is; null where only one rule has it'),
    param: text.describe('window, threshold, multiplier or another parameter'),
    value: z.number(),
  }),
]);
export type RuleEdit = z.infer<typeof ruleEdit>;

const day = z.string().regex(/^(\d{4}-\d\d-\d\d|none)$/);

/**
 * What one message does to the plan of a conversation, as data. Both readers make it, and one
 * function applies it. Null changes nothing.
 */
export const changeSchema = z.strictObject({
  assets: z.array(text).max(50).nullable().describe('tickers; several share one account in equal parts'),
  interval: z.enum(apiTimeframes).nullable(),
  start: day.nullable().describe('first day, or "none" for the first bar'),
  end: day.nullable().describe('last day, or "none" for the last bar'),
  last_months: z.int().min(1).max(600).nullable().describe('the window ends with the bars'),
  style: z.enum(styles).nullable().describe('where the person names no rules'),
  candidates: z.int().min(1).max(CANDIDATES_MAX).nullable(),
  leaves_choice: z.boolean().nullable().describe('true where the person leaves open points to the assistant'),
  settings: z.array(z.strictObject({ name: z.enum(settingNames), value })),
  trail: z
    .strictObject({ share: z.number(), from: z.number().nullable() })
    .nullable()
    .describe('a stop that follows the best price at this share of the entry price, from a gain of another share on'),
  rules: z.array(ruleEdit),
});
export type Change = z.infer<typeof changeSchema>;

export const noChange: Change = {
  ...{ assets: null, interval: null, start: null, end: null, last_months: null, style: null },
  ...{ candidates: null, leaves_choice: null, settings: [], trail: null, rules: [] },
};

/** A change of these parts alone. */
export const makeChange = (parts: Partial<Change>): Change => ({ ...noChange, ...parts });

/** What a change sets, by a name for each place of the plan: `asset`, `setting fee_pct`, `rules of entry`. */
export function changedPlaces(change: Change): ReadonlyMap<string, unknown> {
  const { settings, rules, ...plain } = change;
  const said = Object.entries(plain).filter(([, value]) => value !== null);
  return new Map<string, unknown>([
    ...said,
    ...settings.map(({ name, value }) => [`setting ${name}`, value] as const),
    ...rules.map((edit) => [placeOfEdit(edit), edit] as const),
  ]);
}

function placeOfEdit(edit: RuleEdit): string {
  switch (edit.edit) {
    case 'set':
      return `rules of ${edit.role}`;
    case 'add':
      return `one more rule of ${edit.role}: ${JSON.stringify(edit.rules)}`;
    case 'remove':
      return `removal of ${edit.name}`;
    default:
      return `${edit.param} of ${edit.name ?? 'the rules'}`;
  }
}

export const isNothing = (change: Change): boolean => changedPlaces(change).size === 0;

/** Two changes as one, the later one last. @returns the first place that both set otherwise, or the change */
export function joined(first: Change, second: Change): Change | { readonly twice: string } {
  const [before, after] = [changedPlaces(first), changedPlaces(second)];
  for (const [place, value] of after) {
    if (before.has(place) && JSON.stringify(before.get(place)) !== JSON.stringify(value)) return { twice: place };
  }
  return mergeChanges(first, second);
}

/** Two changes as one; the second wins. */
export function mergeChanges(first: Change, second: Change): Change {
  const said = Object.fromEntries(Object.entries(second).filter(([, value]) => value !== null));
  const isSet = new Set(second.settings.map(({ name }) => name));
  const replaced = new Set(second.rules.flatMap((edit) => (edit.edit === 'set' ? [edit.role] : [])));
  const kept = first.rules.filter((edit) => !('role' in edit && replaced.has(edit.role)));
  return {
    ...first,
    ...said,
    settings: [...first.settings.filter(({ name }) => !isSet.has(name)), ...second.settings],
    rules: [...kept, ...second.rules.filter((edit) => !kept.some((own) => same(own, edit)))],
  };
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
