import {
  anyColumn,
  apiTimeframes,
  type Composition,
  parseStrategy,
  planStrategy,
  type Rule,
  tryParseInterval,
} from '../../engine/index.js';
import { clip } from '../../engine/text.js';
import { ApiError } from '../api-error.js';
import { passUnknownKeys } from '../unknown-keys.js';

/** Rules in the form in which they are stored and shown. */
export interface StoredRules {
  /** The strategy's name in snake case. */
  readonly name: string;
  readonly asset: string;
  readonly entry: readonly StoredRule[];
  readonly exit: readonly StoredRule[];
  readonly reward_factor: number;
}

interface StoredRule {
  readonly name: string;
  readonly signal_type: 'TRIGGER' | 'FILTER';
  readonly timeframe: string;
  readonly params: Readonly<Record<string, unknown>>;
}

interface Definition {
  readonly name: string;
  readonly asset: string;
  readonly entry: unknown;
  readonly exit?: unknown;
  readonly reward_factor?: unknown;
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
  const strategy = parseStrategy(definition, composition, { onUnknownKeys: passUnknownKeys(warnings) });
  const entry = strategy.entry.map((rule, i) => storedRule(rule, `entry[${i}]`));
  const exit = strategy.exit.map((rule, i) => storedRule(rule, `exit[${i}]`));
  if (entry.length + exit.length > RULES_MAX) {
    throw invalid('entry', `entry and exit must have at most ${RULES_MAX} rules, have ${entry.length + exit.length}`);
  }
  const timeframesMs = [...entry, ...exit].map((rule) => tryParseInterval(rule.timeframe) as number);
  const { denied } = planStrategy(strategy, Math.min(...timeframesMs), anyColumn);
  const [refused] = denied;
  if (refused !== undefined) throw invalid(refused.side, `${refused.side}: ${refused.message}`);
  return { name: snakeCase(name), asset, entry, exit, reward_factor: strategy.rewardFactor ?? REWARD_FACTOR };
}

function storedRule({ name, signalType, timeframe, params }: Rule, path: string): StoredRule {
  const field = `${path}.timeframe`;
  if (timeframe === null) throw new ApiError('MISSING_FIELD', `Missing required field: ${field}`, { fields: [field] });
  const ms = tryParseInterval(timeframe);
  if (ms === null || !apiTimeframes.some((known) => tryParseInterval(known) === ms)) {
    throw invalid(field, `${field} must be one of ${apiTimeframes.join(', ')}, was ${clip(timeframe, 20)}`);
  }
  return { name, signal_type: signalType, timeframe, params };
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
