import { canonicalJson } from '../../engine/canonical-json.js';
import { EngineError, quote, wrongField } from '../../engine/errors.js';
import {
  type AllocationPlan,
  allocationFields,
  type Contributions,
  checkMemberCount,
  type EndedAssets,
  endedFields,
  guardFields,
  type PortfolioGuards,
  portfolioFields,
  readAllocationPlan,
  readContributions,
  readEnded,
  readGuardFields,
  readLimits,
  readWeight,
} from '../../engine/portfolio/index.js';
import { refuseUnknownKeys, unknownKeys } from '../../engine/unknown-keys.js';
import { asRecord, invalid, required } from '../simulate-inputs.js';

/** Settings as a user wrote them, not yet checked. */
type Settings = Readonly<Record<string, unknown>>;

/** A strategy on an asset, as written. */
export interface MemberDefinition {
  /** Parsed JSON of a definition. */
  readonly strategy: unknown;
  /** Null where the strategy names its asset. */
  readonly asset: string | null;
  readonly weight: number;
  /** Over the settings of the portfolio. */
  readonly config: Settings;
}

/** What portfolios of rules and allocations have in common. */
interface AccountDefinition {
  readonly name: string;
  /** Null where the run gives it. */
  readonly interval: string | null;
  /** Settings for all members, the settings of `settingsBeside` among them. */
  readonly config: Settings;
  readonly guards: PortfolioGuards;
  /** What becomes of assets whose bars end, where it is said. */
  readonly ended?: EndedAssets;
  /** Null where nothing is paid in or out. */
  readonly contributions: Contributions | null;
}

export interface RulesPortfolio extends AccountDefinition {
  readonly kind: 'members';
  readonly members: readonly MemberDefinition[];
  readonly maxOpenPositions: number | null;
  readonly maxGrossExposure: number | null;
  /** Formula of a number; null where members rank in their order. */
  readonly rankBy: string | null;
}

export interface AllocationPortfolio extends AccountDefinition {
  readonly kind: 'allocation';
  readonly assets: readonly string[];
  readonly plan: AllocationPlan;
  readonly rankBy: string | null;
  /** Formula of a condition; null where every asset may be held. */
  readonly where: string | null;
}

export type PortfolioDefinition = RulesPortfolio | AllocationPortfolio;

const ACCOUNT_KEYS = [
  ...['name', 'interval', 'initial_balance', 'contributions', 'guards', 'execution_config'],
  ...Object.keys(endedFields),
];
const RULES_KEYS = [...ACCOUNT_KEYS, ...Object.keys(portfolioFields), 'rank_by', 'members'];
const ALLOCATION_KEYS = [...ACCOUNT_KEYS, 'allocation'];
const MEMBER_KEYS = ['strategy', 'asset', 'weight', 'execution_config'];
const PLAN_KEYS = ['assets', 'rank_by', 'where', 'weights', ...Object.keys(allocationFields)];

/**
 * Reads a portfolio from parsed JSON: `members` with rules, or `allocation`, weights.
 * @throws EngineError with field, bound and value for a field that is missing, unknown or out of
 * bounds
 */
export function parsePortfolio(json: unknown): PortfolioDefinition {
  const record = asRecord(json, 'portfolio');
  const kinds = ['members', 'allocation'].filter((key) => isGiven(record, key));
  if (kinds.length !== 1) {
    const was = kinds.length === 0 ? 'neither' : 'both';
    throw new EngineError('MISSING_FIELD', `exactly one of members and allocation is required, was ${was}`, {
      field: 'members',
    });
  }
  return kinds[0] === 'members' ? readRules(record) : readAllocation(record);
}

function readRules(record: Record<string, unknown>): RulesPortfolio {
  refuseUnknownKeys(unknownKeys('portfolio', record, RULES_KEYS));
  const limits = readLimits(record);
  const members = readList(record, 'members').map((entry, m) => readMember(entry, `members[${m}]`));
  refuseTwins(members);
  return {
    ...readAccount(record),
    kind: 'members',
    members,
    maxOpenPositions: limits.max_open_positions,
    maxGrossExposure: limits.max_gross_exposure,
    rankBy: readText(record, 'rank_by'),
  };
}

function readMember(entry: unknown, place: string): MemberDefinition {
  const record = asRecord(entry, place);
  refuseUnknownKeys(unknownKeys(place, record, MEMBER_KEYS));
  const weight = readWeight(record, place);
  return {
    strategy: required(record, 'strategy', `${place}.strategy`),
    asset: readText(record, 'asset', `${place}.asset`),
    weight,
    config: readConfig(record, `${place}.execution_config`),
  };
}

/** Two members that are the same would trade each signal twice, which a weight says better. */
function refuseTwins(members: readonly MemberDefinition[]): void {
  const assets = members.map(({ asset }) => asset);
  const seen = new Map<string, number>();
  for (const [m, { strategy, asset }] of members.entries()) {
    if (assets.indexOf(asset) === assets.lastIndexOf(asset)) continue; // alone on its asset
    const key = canonicalJson([strategy, asset]);
    const twin = seen.get(key);
    if (twin !== undefined) {
      throw invalid(
        `members[${m}]`,
        `must differ from members[${twin}] in strategy or asset; give one a larger weight`,
      );
    }
    seen.set(key, m);
  }
}

function readAllocation(record: Record<string, unknown>): AllocationPortfolio {
  refuseUnknownKeys(unknownKeys('portfolio', record, ALLOCATION_KEYS));
  const allocation = asRecord(record.allocation, 'allocation');
  refuseUnknownKeys(unknownKeys('allocation', allocation, PLAN_KEYS));
  const assets = readList(allocation, 'assets', 'allocation.assets').map((asset, a) => {
    if (typeof asset === 'string' && asset.trim() !== '') return asset.trim();
    throw wrongField(`allocation.assets[${a}]`, 'the name of an asset such as BTC', asset);
  });
  const twice = assets.find((asset, a) => assets.indexOf(asset) !== a);
  if (twice !== undefined) throw invalid('allocation.assets', `must name each asset once, names ${quote(twice)} twice`);
  return {
    ...readAccount(record),
    kind: 'allocation',
    assets,
    plan: readAllocationPlan(allocation, assets.length, 'allocation'),
    rankBy: readText(allocation, 'rank_by', 'allocation.rank_by'),
    where: readText(allocation, 'where', 'allocation.where'),
  };
}

/** Settings of the account that may stand beside `execution_config` or in it. */
const settingsBeside = ['initial_balance', 'min_balance_threshold'] as const;

function readAccount(record: Record<string, unknown>): AccountDefinition {
  const config = { ...readConfig(record, 'execution_config') };
  for (const name of settingsBeside) {
    if (!isGiven(record, name)) continue;
    if (isGiven(config, name)) {
      throw invalid(`execution_config.${name}`, `must be left out beside ${name} of the portfolio`);
    }
    config[name] = record[name];
  }
  return {
    name: readText(record, 'name') ?? 'portfolio',
    interval: readText(record, 'interval'),
    config,
    guards: readGuardFields(record.guards),
    ...readEnded(record),
    contributions: readContributions(record.contributions),
  };
}

/** Settings without guards, which belong to the whole account. */
function readConfig(record: Record<string, unknown>, place: string): Settings {
  if (!isGiven(record, 'execution_config')) return {};
  const config = asRecord(record.execution_config, place);
  refuseGuards(config, place);
  return config;
}

/** @throws INVALID_FIELD for a guard among settings: guards watch the account, so they are the portfolio's */
export function refuseGuards(config: Settings, place: string): void {
  for (const name of Object.keys(guardFields)) {
    if (!isGiven(config, `guard_${name}`)) continue;
    throw invalid(`${place}.guard_${name}`, 'is a guard of the whole account, write it in `guards` of the portfolio');
  }
}

function readText(record: Record<string, unknown>, key: string, field = key): string | null {
  if (!isGiven(record, key)) return null;
  const text = record[key];
  if (typeof text === 'string' && text.trim() !== '') return text.trim();
  throw wrongField(field, 'a text', text);
}

function readList(record: Record<string, unknown>, key: string, field = key): unknown[] {
  const list = required(record, key, field);
  if (!Array.isArray(list)) throw wrongField(field, 'an array', list);
  checkMemberCount(field, list.length);
  return list;
}

const isGiven = (record: Settings, key: string): boolean => record[key] !== undefined && record[key] !== null;
