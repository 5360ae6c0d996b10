import { namedText } from '../../engine/portfolio/index.js';
import { type BarSeries, isoTime } from '../../engine/series/index.js';

/** A member, or an asset of an allocation, with the bars at which its rules have their first value. */
interface RuledPart {
  readonly asset: string;
  readonly bars: BarSeries;
  /** The first bar of the window. */
  readonly first: number;
  readonly firstValues: () => readonly { readonly rule: string; readonly bar: number }[];
}

/** From when on a rule of a member, or a rank or condition of an asset, has a value. */
export interface RuleStart {
  readonly asset: string;
  readonly rule: string;
  /** Close of the first bar in the window at which it has one; null where it never has. */
  readonly first_value: string | null;
  /** Whether the window of the part has bars before it. */
  readonly is_late: boolean;
}

/** The first value of each rule of a portfolio, by its members or assets. */
export const ruleStarts = (parts: readonly RuledPart[]): RuleStart[] =>
  parts.flatMap(({ asset, bars, first, firstValues }) =>
    firstValues().map(({ rule, bar }) => ({
      ...{ asset, rule },
      first_value: bar < 0 ? null : isoTime((bars.time[Math.max(bar, first)] ?? NaN) + bars.intervalMs),
      is_late: bar < 0 || bar > first,
    })),
  );

/** Assets in one line. */
const ASSETS_NAMED = 12;

export const namedAssets = (assets: readonly string[]): string => namedText(assets, ASSETS_NAMED);

/** One line for each rule and date: rules without a value at the start that a run asks for. */
export function lateRules(starts: readonly RuleStart[]): string[] {
  const assets = new Map<string, Set<string>>();
  for (const { asset, rule, first_value, is_late } of starts) {
    if (!is_late) continue;
    const line =
      first_value === null
        ? `${rule} has no value in the window`
        : `${rule} has its first value at ${first_value}, later than the start, as too few bars are held before`;
    assets.set(line, (assets.get(line) ?? new Set()).add(asset));
  }
  return [...assets].map(([line, named]) => `${line}: ${namedAssets([...named])}`);
}
