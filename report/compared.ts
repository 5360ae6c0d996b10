import { day, percent } from './format.js';
import { listDrawdowns } from './risk.js';
import { sideText } from './rules.js';
import { settingText } from './setting-text.js';
import type { SheetRule, TearSheet } from './sheet.js';

/** A line of a comparison: what it is, and its text in each run. */
export type ComparedRow = readonly [label: string, texts: readonly string[]];

const NOTHING = '-';

const isDiffering = ([, texts]: ComparedRow): boolean => texts.some((text) => text !== texts[0]);

/** Leaves of values by their places, such as `members[0].weight`; the rows in which the runs differ. */
function differingLeaves(values: readonly unknown[]): ComparedRow[] {
  const leaves = values.map((value) => new Map(leavesIn(value, '')));
  const places = [...new Set(leaves.flatMap((one) => [...one.keys()]))];
  return places
    .map((place): ComparedRow => [place, leaves.map((one) => one.get(place) ?? NOTHING)])
    .filter(isDiffering);
}

function leavesIn(value: unknown, place: string): (readonly [place: string, text: string])[] {
  if (value === undefined) return [];
  if (value === null || typeof value !== 'object' || value instanceof Map) return [[place, settingText(value)]];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, one]) =>
    leavesIn(one, isList ? `${place}[${key}]` : place === '' ? key : `${place}.${key}`),
  );
}

/** The rules in which runs differ: rules of the sides of strategies, and places of portfolios. */
export function comparedRules(sheets: readonly TearSheet[]): ComparedRow[] {
  const row = (label: string, rules: (sheet: TearSheet) => readonly SheetRule[] | undefined): ComparedRow => [
    label,
    sheets.map((sheet) => sideText(rules(sheet) ?? []) || NOTHING),
  ];
  const sides = [
    row('enters', ({ rules }) => rules.entry),
    row('leaves', ({ rules }) => rules.exit),
    row('sells short', ({ rules }) => rules.shortEntry),
    row('buys back', ({ rules }) => rules.shortExit),
  ];
  return [...sides.filter(isDiffering), ...differingLeaves(sheets.map(({ definition }) => definition))];
}

/** The settings in which runs differ, those inside of others by their places. */
export const comparedSettings = (sheets: readonly TearSheet[]): ComparedRow[] =>
  differingLeaves(sheets.map(({ execution }) => execution));

const DRAWDOWNS_COMPARED = 3;

/** The deepest falls of each run, with their days. */
export function comparedDrawdowns(sheets: readonly TearSheet[]): ComparedRow[] {
  const falls = sheets.map(listDrawdowns);
  const count = Math.min(DRAWDOWNS_COMPARED, Math.max(...falls.map(({ length }) => length)));
  return Array.from({ length: count }, (_, i) => [
    `drawdown ${i + 1}`,
    falls.map((own) => {
      const fall = own[i];
      if (fall === undefined) return NOTHING;
      const { depth, peakMs, recoveredMs } = fall;
      return `${percent(depth)} ${day(peakMs)} to ${recoveredMs === null ? 'the end' : day(recoveredMs)}`;
    }),
  ]);
}
