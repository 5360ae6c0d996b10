import { settingColumns } from '../execution/index.js';

/** A rule as a label names it. */
interface LabelledRule {
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Null for the timeframe of the dataset. */
  readonly timeframe: string | null;
  /** True where the signal is false. */
  readonly negate?: boolean;
  /** True for so many bars from its last true bar on. */
  readonly withinBars?: number;
  /** The asset whose bars it reads; absent for the run's own. */
  readonly asset?: string;
  /** Number of its group where one of several groups must hold. */
  readonly group?: number;
}

/**
 * A rule in short form, such as `not rsi_oversold(30, 14) of BTC on 1d within 3`. Numbers keep all
 * their digits, so that two rules that differ have different labels.
 */
export function ruleLabel({ name, params, timeframe, negate, withinBars, asset }: LabelledRule): string {
  const of = asset === undefined ? '' : ` of ${asset}`;
  const on = timeframe === null ? '' : ` on ${timeframe}`;
  const within = withinBars === undefined ? '' : ` within ${withinBars}`;
  return `${negate === true ? 'not ' : ''}${name}(${Object.values(params).join(', ')})${of}${on}${within}`;
}

/** The rules of a side in one line: all rules of one of its groups must hold. */
export const sideLabel = <Rule extends Pick<LabelledRule, 'group'>>(
  rules: readonly Rule[],
  label: (rule: Rule) => string,
): string =>
  ruleGroups(rules)
    .map((group) => group.map(label).join(' & '))
    .join(' or ');

/** The rules of each group; a plain list is one group. */
export function ruleGroups<Rule extends Pick<LabelledRule, 'group'>>(rules: readonly Rule[]): Rule[][] {
  const numbers = [...new Set(rules.map(({ group }) => group))];
  return numbers.map((number) => rules.filter(({ group }) => group === number));
}

/** A rule as a row holds it. */
interface StoredRule {
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly signal_type: 'TRIGGER' | 'FILTER';
  readonly timeframe: string;
  readonly negate?: true;
  readonly within_bars?: number;
  readonly asset?: string;
  /** Number of its group where the side is a choice, else absent. */
  readonly group?: number;
}

/** The rules of a side, which a row holds as a definition does: a list, or `{any: [list, ...]}`. */
function storedRules(json: unknown): readonly StoredRule[] {
  const side = JSON.parse(String(json)) as StoredRule[] | { readonly any: StoredRule[][] };
  if (Array.isArray(side)) return side;
  return side.any.flatMap((rules, group) => rules.map((rule) => ({ ...rule, group })));
}

/**
 * The rules of a side of a row, to be named.
 * @param own timeframe of the dataset
 */
export const labelledRules = (json: unknown, own: string): (LabelledRule & Pick<StoredRule, 'signal_type'>)[] =>
  storedRules(json).map(({ within_bars: withinBars, timeframe, ...rule }) => ({
    ...rule,
    timeframe: timeframe === own ? null : timeframe,
    ...(withinBars !== undefined && { withinBars }),
  }));

/** The column of result rows that holds the value of an axis of settings. */
export interface AxisColumn {
  readonly name: string;
  /** `['cooldown_config', '1h', 'short_loss_limit']` */
  readonly path: readonly string[];
  /** Whether it is of this axis alone: no column of settings holds the value as it is written. */
  readonly isOwn: boolean;
}

/** The column of an axis: the column of its setting, or its own for a value inside a setting. */
export function axisColumn(path: readonly string[]): AxisColumn {
  const [setting] = path;
  const held = path.length === 1 ? settingColumns.find((column) => column.setting === setting) : undefined;
  const isOwn = path.length > 1 || setting === 'cooldown_config';
  return { name: held?.name ?? path.join('_'), path, isOwn };
}
