// biome-ignore-all lint/style/noNonNullAssertion: every course has one value per bar, and a sheet has bars
import { chart, type Stroke } from '../chart.js';
import { areaPath } from '../downsample.js';
import { amount, lastValue, money, percent, plural } from '../format.js';
import { type Axis, line } from '../overview.js';
import { extent, linearBetween, linearScale, timeTicks } from '../scale.js';
import type { TearSheet } from '../sheet.js';

/** The input of the page of a portfolio. Rendering reads nothing else. */
export interface PortfolioSheet {
  /** The account as one run, whose bars are its assets held evenly. */
  readonly account: TearSheet;
  /** Members with rules, or weights that are rebalanced. */
  readonly kind: 'members' | 'allocation';
  /** In the order of the definition. */
  readonly members: readonly SheetMember[];
  /** Of the members' daily profits; null where one never changed. */
  readonly correlation: readonly (readonly (number | null)[])[];
  /** Sum of the weights, shorts added and shorts taken off, at each close. */
  readonly gross: Float64Array;
  readonly net: Float64Array;
  /** Notional of all fills over the mean account value. */
  readonly turnover: number;
  /** When weights were moved, oldest first; none with rules. */
  readonly rebalances: readonly SheetRebalance[];
  /** Entries that were not filled, by reason. */
  readonly denied: Readonly<Record<string, number>>;
  /** Filled entries by the limit that made them smaller. */
  readonly limited: Readonly<Record<string, number>>;
  /** What was paid in and out, quote currency, and what it returned; null where nothing was. */
  readonly money: {
    readonly payments: number;
    readonly paid_in: number;
    readonly paid_out: number;
    readonly ending_value: number;
    readonly profit: number;
    readonly time_weighted_return: number;
    /** A year; null where there is none. */
    readonly money_weighted_return: number | null;
  } | null;
  /** In which every member has begun and none has ended; null where there is none. */
  readonly shared: { readonly startMs: number; readonly endMs: number } | null;
  /** The portfolio as its author wrote it; any JSON value. */
  readonly definition: unknown;
}

export interface SheetMember {
  /** Its asset, with its number where several members have the asset. */
  readonly name: string;
  /** Null for an asset of an allocation. */
  readonly strategy: string | null;
  readonly trades: number;
  /** Quote currency. */
  readonly profit: number;
  /** Null where all of them together earned nothing. */
  readonly shareOfReturn: number | null;
  /** Mean of its notional over the account value. */
  readonly exposure: number;
  /** Part of the times at which it held something. */
  readonly timeInMarket: number;
  /** At each close: notional over the account value, shorts below 0, and profit since the start. */
  readonly weights: Float64Array;
  readonly profits: Float64Array;
}

interface SheetRebalance {
  /** Open of the bar at which the fills were. */
  readonly timeMs: number;
  /** Place of the bar in the columns. */
  readonly bar: number;
  /** Notional, quote currency. */
  readonly sold: number;
  readonly bought: number;
}

/** Courses that have a colour of their own; all other members are added up. */
const DRAWN_MAX = 6;

interface DrawnCourse {
  readonly name: string;
  /** Of its colour, 1..7. */
  readonly colour: number;
  readonly values: Float64Array;
}

/** The courses of the members that matter most, and the sum of the others. */
export function drawnCourses(members: readonly SheetMember[], of: 'weights' | 'profits'): DrawnCourse[] {
  const reach = (values: Float64Array): number =>
    of === 'profits'
      ? values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
      : values.reduce((sum, value) => sum + Math.abs(value), 0);
  const ranked = members.map((member, m) => ({ member, m, size: reach(member[of]) }));
  if (members.length > DRAWN_MAX) ranked.sort((a, b) => b.size - a.size || a.m - b.m);
  const own = ranked.slice(0, DRAWN_MAX);
  const rest = ranked.slice(DRAWN_MAX);
  const drawn = own.map(({ member }, k) => ({ name: member.name, colour: k + 1, values: member[of] }));
  if (rest.length === 0) return drawn;
  const sum = new Float64Array(members[0]![of].length);
  for (const { member } of rest) for (let i = 0; i < sum.length; i++) sum[i]! += member[of][i]!;
  return [...drawn, { name: `${plural(rest.length, 'other member')}`, colour: DRAWN_MAX + 1, values: sum }];
}

const legend = (courses: readonly DrawnCourse[], kind: 'run' | 'weight') =>
  courses.map(({ name, colour }) => ({ className: `${kind}${colour}`, text: name }));

/** What each member has earned so far. */
export function profitChart({ members }: PortfolioSheet, axis: Axis): string {
  const courses = drawnCourses(members, 'profits');
  const [low, high] = extent(...courses.map(({ values }) => values));
  const scale = linearScale(Math.min(0, low), Math.max(0, high));
  const ends = courses.map(({ name, values }) => `${name} ${money(lastValue(values))}`);
  return chart({
    id: 'profits',
    title: 'Profit of each member since the start',
    alternative: `Line chart of the profit of each member, realized and not: at the end ${ends.join(', ')}.`,
    legend: legend(courses, 'run'),
    height: 'm',
    xTicks: timeTicks(axis.startMs, axis.endMs),
    yTicks: scale.ticks,
    strokes: courses.map(({ colour, values }) => ({ className: `run${colour}`, path: line(axis, scale, values) })),
    isOverTime: true,
    baseline: scale.at(0),
  });
}

const share = (value: number, digits: number): string => percent(value, Math.max(0, digits - 2));

/** What part of the account each member is: areas on each other, or lines where some are short. */
export function weightChart({ members }: PortfolioSheet, axis: Axis): string {
  const courses = drawnCourses(members, 'weights');
  const isStacked = courses.every(({ values }) => values.every((value) => value >= 0));
  const stack = isStacked ? stacked(courses) : courses.map(({ values }) => values);
  const [low, high] = extent(...stack);
  const scale = linearBetween(Math.min(0, low * 1.04), Math.max(high * 1.04, 0.01), share);
  const strokes = courses.map(({ colour }, k): Stroke => {
    const path = line(axis, scale, stack[k]!);
    return isStacked
      ? { className: `weight${colour}`, path: areaPath(path, scale.at(0)) }
      : { className: `run${colour}`, path };
  });
  const means = members.map(({ name, exposure }) => `${name} ${percent(exposure, 0)}`);
  return chart({
    id: 'weights',
    title: isStacked ? 'Weights, on each other; the rest is cash' : 'Weights, shorts below 0',
    alternative: `${isStacked ? 'Stacked areas' : 'Lines'} of the part of the account that each member is; on average ${means.slice(0, 12).join(', ')}.`,
    legend: legend(courses, isStacked ? 'weight' : 'run'),
    height: 'm',
    xTicks: timeTicks(axis.startMs, axis.endMs),
    yTicks: scale.ticks,
    strokes: isStacked ? strokes.reverse() : strokes, // the tallest first, so that none is hidden
    isOverTime: true,
    baseline: scale.at(0),
  });
}

/** Each course on top of those before it. */
function stacked(courses: readonly DrawnCourse[]): Float64Array[] {
  let below = new Float64Array(courses[0]?.values.length ?? 0);
  return courses.map(({ values }) => {
    below = below.map((sum, i) => sum + values[i]!);
    return below;
  });
}

export function exposureChart({ gross, net, members }: PortfolioSheet, axis: Axis): string {
  const isSame = members.every(({ weights }) => weights.every((value) => value >= 0));
  const [low, high] = extent(gross, net);
  const scale = linearBetween(Math.min(0, low * 1.06), Math.max(high * 1.06, 0.01), share);
  const mean = gross.reduce((sum, value) => sum + value, 0) / gross.length;
  return chart({
    id: 'exposure',
    title: isSame ? 'Exposure' : 'Exposure, gross and net',
    alternative: `Line chart of what is held over the account value: on average ${percent(mean)}, at most ${percent(high)}.`,
    legend: isSame
      ? []
      : [
          { className: 'strategy', text: 'gross' },
          { className: 'benchmark', text: 'net' },
        ],
    height: 's',
    xTicks: timeTicks(axis.startMs, axis.endMs),
    yTicks: scale.ticks,
    strokes: [
      ...(isSame ? [] : [{ className: 'benchmark', path: line(axis, scale, net) }]),
      { className: 'strategy', path: line(axis, scale, gross) },
    ],
    isOverTime: true,
    baseline: scale.at(0),
  });
}

/** Deepest fall of a profit below its highest so far, quote currency; 0 or more. */
export function deepestFall(profits: Float64Array): number {
  let [peak, fall] = [0, 0];
  for (const profit of profits) {
    peak = Math.max(peak, profit);
    fall = Math.max(fall, peak - profit);
  }
  return fall;
}

export const correlationText = (value: number): string => amount(value, 2);
