import { normaliseAsset } from '../../data/bars/index.js';
import { sha256 } from '../../data/hashes/index.js';
import { canonicalJson } from '../../engine/canonical-json.js';
import { EngineError, isRecord, quote, wrongField } from '../../engine/errors.js';
import { type ExecutionConfig, idleSettingWarnings, resolveConfig } from '../../engine/execution/index.js';
import { apiTimeframes, tryParseInterval } from '../../engine/series/index.js';
import {
  anyColumn,
  apiTimeframeMs,
  parseStrategy,
  planStrategy,
  type StrategyDefinition,
} from '../../engine/strategy/index.js';
import { refuseUnknownKeys, unknownKeys } from '../../engine/unknown-keys.js';
import { passUnknownKeys } from '../read-fields.js';
import { assetsOfPortfolio, type DeployedRules, type DeployedWeights, readDeployedPortfolio } from './portfolio.js';

/** Statuses that an owner sets; only the service sets `error`. */
const ownStatuses = ['active', 'paused', 'stopped'] as const;
export type OwnStatus = (typeof ownStatuses)[number];

interface DeployedAccount {
  readonly id: string;
  readonly name: string;
  readonly personaId: string;
  /** As written; of a portfolio, the assets with commas between. */
  readonly asset: string;
  readonly timeframe: string;
  readonly intervalMs: number;
  /** Settings of the account. */
  readonly config: ExecutionConfig;
  /** About its settings. */
  readonly warnings: readonly string[];
  readonly status: OwnStatus;
  /** Hash of everything that its trades depend on. */
  readonly hash: string;
}

/** A strategy of one asset. */
export interface DeployedDefinition extends DeployedAccount {
  /** The asset under which the bars are stored. */
  readonly baseAsset: string;
  readonly strategy: StrategyDefinition;
}

/** One account over many assets. */
export interface DeployedPortfolio extends DeployedAccount {
  readonly portfolio: DeployedRules | DeployedWeights;
}

export type Deployed = DeployedDefinition | DeployedPortfolio;

/** The assets whose bars move an account, each once. */
export const deployedAssets = (deployed: Deployed): readonly string[] =>
  'portfolio' in deployed ? assetsOfPortfolio(deployed.portfolio) : [deployed.baseAsset];

interface Persona {
  readonly id: string;
  readonly name: string;
  readonly avatar: string | null;
  readonly description: string | null;
  readonly strategyIds: readonly string[];
}

export interface DeployedSet {
  /** In the order of the file, like the strategies. */
  readonly personas: readonly Persona[];
  readonly strategies: ReadonlyMap<string, Deployed>;
}

const PERSONAS_MAX = 100;
const STRATEGIES_MAX = 3;
const idForm = /^[a-z0-9][a-z0-9_-]{0,63}$/;
/** Path segments that appear where an id could. */
const reservedIds: readonly string[] = ['strategies', 'stream'];

/**
 * Reads `{personas: [{id, name, avatar?, description?, strategies: [{id, name, asset, timeframe,
 * entry, exit?, reward_factor?, execution_config?, status?}]}]}`. A strategy may be a portfolio:
 * `{id, name, timeframe, portfolio, status?}`. A persona has 1..3 strategies, and ids are unique.
 * Every signal must exist and accept its parameters, because no caller would see a refusal later.
 * @throws EngineError naming the place, the bound and the value
 */
export function readDeployedSet(json: unknown): DeployedSet {
  const list = listIn(readRecord(json, 'the file'), 'personas', 'personas', PERSONAS_MAX);
  const strategies = new Map<string, Deployed>();
  const personas = new Map<string, Persona>();
  for (const [i, item] of list.entries()) {
    const at = `personas[${i}]`;
    const record = readRecord(item, at);
    const id = idIn(record, at, personas);
    const owned = listIn(record, 'strategies', `${at}.strategies`, STRATEGIES_MAX).map((each, k) =>
      readStrategy(each, `${at}.strategies[${k}]`, id, strategies),
    );
    personas.set(id, {
      id,
      name: textIn(record, 'name', at),
      avatar: optionalTextIn(record, 'avatar', at),
      description: optionalTextIn(record, 'description', at),
      strategyIds: owned.map((strategy) => strategy.id),
    });
  }
  return { personas: [...personas.values()], strategies };
}

function readStrategy(json: unknown, at: string, personaId: string, known: Map<string, Deployed>): Deployed {
  const record = readRecord(json, at);
  const id = idIn(record, at, known);
  if (reservedIds.includes(id)) throw wrongField(`${at}.id`, `an id other than ${reservedIds.join(' and ')}`, id);
  const name = textIn(record, 'name', at);
  const timeframe = textIn(record, 'timeframe', at);
  const intervalMs = tryParseInterval(timeframe);
  if (intervalMs === null || !apiTimeframeMs.has(intervalMs)) {
    throw wrongField(`${at}.timeframe`, `one of ${apiTimeframes.join(', ')}`, timeframe);
  }
  const status = record.status ?? 'active';
  if (!ownStatuses.includes(status as OwnStatus)) throw wrongField(`${at}.status`, ownStatuses.join(' or '), status);
  const account = { id, name, personaId, timeframe, intervalMs, status: status as OwnStatus };
  const isPortfolio = record.portfolio !== undefined && record.portfolio !== null;
  const asset = isPortfolio ? '' : textIn(record, 'asset', at);
  const own = within(at, () =>
    isPortfolio ? portfolioIn(record, id, intervalMs) : strategyIn(record, asset, intervalMs),
  );
  const definition = { ...account, ...own };
  known.set(id, definition);
  return definition;
}

const PORTFOLIO_KEYS = ['id', 'name', 'timeframe', 'portfolio', 'status'];

function portfolioIn(record: Json, id: string, intervalMs: number) {
  refuseUnknownKeys(unknownKeys('a portfolio', record, PORTFOLIO_KEYS));
  const { identity, portfolio, config, warnings } = readDeployedPortfolio(id, record.portfolio, intervalMs);
  const asset = assetsOfPortfolio(portfolio).join(',');
  const { name = record.name } = record.portfolio as Json;
  const renamed = name === record.name ? [] : [`portfolio.name is not read: it is deployed as ${quote(record.name)}`];
  return { asset, portfolio, config, warnings: [...renamed, ...warnings], hash: sha256(identity) };
}

function strategyIn(record: Json, asset: string, intervalMs: number) {
  const baseAsset = normaliseAsset(asset);
  const { id: _, timeframe: __, status: ___, ...written } = record;
  const unread: string[] = [];
  const strategy = parseStrategy(written, 'relaxed', {
    onUnknownKeys: passUnknownKeys(unread),
    takesSides: true,
    takesWeeks: false,
  });
  const [denied] = planStrategy(strategy, intervalMs, anyColumn).denied;
  if (denied !== undefined) throw new EngineError('INVALID_STRATEGY', `${denied.side}: ${denied.message}`);
  const { config, warnings: resolved } = resolveConfig({
    saved: strategy.executionConfig,
    strategyRewardFactor: strategy.rewardFactor,
    interval: intervalMs,
    takesPositionFields: true,
  });
  const { entry, exit, shortEntry, shortExit } = strategy;
  const short = shortEntry === undefined ? {} : { shortEntry, shortExit };
  const hash = sha256(canonicalJson({ asset: baseAsset, intervalMs, entry, exit, ...short, config }));
  const warnings = [...unread, ...resolved, ...idleSettingWarnings(config, shortEntry !== undefined)];
  return { asset, baseAsset, strategy, config, warnings, hash };
}

/** Adds the place in the file to an error of the engine. */
function within<T>(at: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new EngineError(error.code, `${at}: ${error.message}`, { ...error.details, field: at });
  }
}

type Json = Readonly<Record<string, unknown>>;

function readRecord(value: unknown, at: string): Json {
  if (isRecord(value)) return value;
  throw wrongField(at, 'an object', value);
}

function requiredIn(record: Json, key: string, field: string): unknown {
  const value = record[key];
  if (value === undefined || value === null) throw new EngineError('MISSING_FIELD', `${field} is required`, { field });
  return value;
}

function listIn(record: Json, key: string, field: string, lengthMax: number): readonly unknown[] {
  const value = requiredIn(record, key, field);
  if (!Array.isArray(value)) throw wrongField(field, 'an array', value);
  if (value.length < 1 || value.length > lengthMax) {
    throw wrongField(field, `an array of 1..${lengthMax} items`, `${value.length} items`);
  }
  return value;
}

function textIn(record: Json, key: string, at: string): string {
  const value = requiredIn(record, key, `${at}.${key}`);
  if (typeof value === 'string' && value.trim() !== '' && value.length <= 500) return value;
  throw wrongField(`${at}.${key}`, 'a text of 1..500 characters', value);
}

const optionalTextIn = (record: Json, key: string, at: string): string | null =>
  record[key] === undefined || record[key] === null ? null : textIn(record, key, at);

function idIn(record: Json, at: string, known: ReadonlyMap<string, unknown>): string {
  const id = textIn(record, 'id', at);
  const field = `${at}.id`;
  if (!idForm.test(id)) throw wrongField(field, '1..64 lower-case letters, digits, dashes and underscores', id);
  if (known.has(id)) throw new EngineError('INVALID_FIELD', `${field} must be unique, ${id} is taken`, { field });
  return id;
}
