import { apiTimeframes, tryParseInterval } from '../../engine/series/index.js';
import {
  anyColumn,
  type Composition,
  parseStrategy,
  placedRules,
  planStrategy,
  type Rule,
  ruleLists,
} from '../../engine/strategy/index.js';
import { clip } from '../../engine/text.js';
import { ApiError } from '../api-error.js';
import { passUnknownKeys } from '../read-fields.js';

/** Rules in the form in which they are stored and shown. */
export interface StoredRules {
  /** The strategy's name in snake case. */
  readonly name: string;
  readonly asset: string;
  /** Empty where the strategy has a short side only. */
  readonly entry: StoredSide;
  readonly exit: StoredSide;
  readonly reward_factor: number;
  /** Absent where the strategy has no short side. */
  readonly short_entry?: StoredSide;
  readonly short_exit?: StoredSide;
}

/** The rules of a side: a list, or lists; one of them must hold. */
type StoredSide = readonly StoredRule[] | { readonly any: readonly (readonly StoredRule[])[] };

interface StoredRule {
  readonly name: string;
  readonly signal_type: 'TRIGGER' | 'FILTER';
  readonly timeframe: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly negate?: true;
  readonly within_bars?: number;
  readonly asset?: string;
}

/** All rules of a side, in order. */
export const listStoredRules = (side: StoredSide | undefined): readonly StoredRule[] =>
  side === undefined ? [] : 'any' in side ? side.any.flat() : side;

interface Definition {
  readonly name: string;
  readonly asset: string;
  readonly entry: unknown;
  readonly exit?: unknown;
  readonly reward_factor?: unknown;
  readonly short_entry?: unknown;
  readonly short_exit?: unknown;
}

const REWARD_FACTOR = 2;
const NAME_LENGTH_MAX = 200;
const ASSET_LENGTH_MAX = 32;
const RULES_MAX = 32;

/**
 * Checks a definition before it is stored. It is refused if it has a rule that a run would only
 * deny.
 * @param composition what the server requires of stored strategies
 * @param warnings takes a line for each key that nothing reads
 */
export function readRules(definition: Definition, composition: Composition, warnings: string[] = []): StoredRules {
  const { name, asset } = definition;
  checkText('name', name, NAME_LENGTH_MAX);
  checkText('asset', asset, ASSET_LENGTH_MAX);
  const strategy = parseStrategy(definition, composition, {
    onUnknownKeys: passUnknownKeys(warnings),
    takesSides: true,
  });
  const stored = new Map(placedRules(strategy).map(({ rule, place }) => [rule, storedRule(rule, place)]));
  if (stored.size > RULES_MAX) {
    const sides = ruleLists.flatMap(([key, field]) => (strategy[field] === undefined ? [] : [key]));
    throw invalid('entry', `${listed(sides)} must have at most ${RULES_MAX} rules, have ${stored.size}`);
  }
  const timeframesMs = [...stored.values()].map((rule) => tryParseInterval(rule.timeframe) as number);
  const { denied } = planStrategy(strategy, Math.min(...timeframesMs), anyColumn);
  const [refused] = denied;
  if (refused !== undefined) throw invalid(refused.side, `${refused.side}: ${refused.message}`);
  const toStoredSide = (rules: readonly Rule[]) => storedSide(rules, stored);
  const { shortEntry, shortExit = [] } = strategy;
  return {
    name: snakeCase(name),
    asset,
    entry: toStoredSide(strategy.entry),
    exit: toStoredSide(strategy.exit),
    reward_factor: strategy.rewardFactor ?? REWARD_FACTOR,
    ...(shortEntry !== undefined && { short_entry: toStoredSide(shortEntry), short_exit: toStoredSide(shortExit) }),
  };
}

/** `a`, `a and b`, `a, b and c`. */
const listed = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ');

/** The rules of a side in the form in which they were written: a list or a choice. */
function storedSide(rules: readonly Rule[], stored: ReadonlyMap<Rule, StoredRule>): StoredSide {
  const groups = new Map<number | undefined, StoredRule[]>();
  for (const rule of rules) {
    // biome-ignore lint/style/noNonNullAssertion: the map has every rule of the strategy
    groups.set(rule.group, [...(groups.get(rule.group) ?? []), stored.get(rule)!]);
  }
  const lists = [...groups.values()];
  return rules[0]?.group === undefined ? (lists[0] ?? []) : { any: lists };
}

function storedRule(rule: Rule, path: string): StoredRule {
  const { name, signalType, timeframe, params, negate, withinBars, asset } = rule;
  const field = `${path}.timeframe`;
  if (timeframe === null) throw new ApiError('MISSING_FIELD', `Missing required field: ${field}`, { fields: [field] });
  const ms = tryParseInterval(timeframe);
  if (ms === null || !apiTimeframes.some((known) => tryParseInterval(known) === ms)) {
    throw invalid(field, `${field} must be one of ${apiTimeframes.join(', ')}, was ${clip(timeframe, 20)}`);
  }
  if (asset !== undefined) checkText(`${path}.asset`, asset, ASSET_LENGTH_MAX);
  return {
    name,
    signal_type: signalType,
    timeframe,
    params,
    ...(negate && { negate }),
    ...(withinBars !== undefined && { within_bars: withinBars }),
    ...(asset !== undefined && { asset }),
  };
}

function checkText(field: string, text: string, lengthMax: number): void {
  if (text.trim() === '' || text.length > lengthMax) {
    throw invalid(field, `${field} must have 1..${lengthMax} characters, has ${text.trim().length}`);
  }
}

const invalid = (field: string, message: string) => new ApiError('VALIDATION_ERROR', message, { field });

const snakeCase = (name: string): string =>
  name
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
