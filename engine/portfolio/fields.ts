import { EngineError, isRecord, wrongField } from '../errors.js';
import { checkBounds, type FieldBounds, fieldOf } from '../execution/index.js';
import { refuseUnknownKeys, unknownKeys } from '../unknown-keys.js';
import type { Contributions } from './contributions.js';
import { type EndedAssets, endedPrices, type PortfolioGuards } from './ended.js';
import { type RebalancePeriod, rebalancePeriods, type Weighting } from './weights.js';

type Field = FieldBounds & { readonly default: number | string | null };

/** The guards of a portfolio are the guard settings of a single run under shorter names. */
const guardField = (name: 'max_drawdown' | 'daily_loss' | 'group_stop' | 'pause_bars'): Field =>
  fieldOf(`guard_${name}`) as Field;

export const guardFields = {
  max_drawdown: guardField('max_drawdown'),
  daily_loss: guardField('daily_loss'),
  group_stop: guardField('group_stop'),
  pause_bars: guardField('pause_bars'),
} as const satisfies Readonly<Record<keyof PortfolioGuards, Field>>;

export const portfolioFields = {
  min_balance_threshold: fieldOf('min_balance_threshold') as Field,
  max_open_positions: {
    kind: 'integer',
    min: 1,
    nullable: true,
    default: null,
    unit: 'positions',
    description: 'positions open at once over all members; no limit when null',
  },
  max_gross_exposure: fieldOf('max_gross_exposure') as Field,
} as const satisfies Readonly<Record<string, Field>>;

/** What becomes of an asset whose bars end; of portfolios with rules and of weights. */
export const endedFields = {
  ended_after: {
    kind: 'integer',
    min: 1,
    nullable: true,
    default: null,
    unit: 'bars',
    description:
      'an asset without a bar has ended when another has shown so many since its last; when null as many as three days have, at least 3',
  },
  ended_price: {
    kind: 'enum',
    values: endedPrices,
    default: 'last_close',
    description: 'what is held of an ended asset is sold at its last close, or written down to zero',
  },
} as const satisfies Readonly<Record<keyof EndedAssets, Field>>;
/** Money that is paid in or out. */
const contributionFields = {
  amount: {
    kind: 'number',
    default: null,
    unit: 'quote currency',
    description: 'paid into the account, or out of it where it is below 0; at most the cash is paid out',
  },
  every: {
    kind: 'enum',
    values: rebalancePeriods,
    default: '1M',
    description: 'at the first open of each day, week (from Monday), month or quarter but the first, in UTC',
  },
} as const satisfies Readonly<Record<keyof Contributions, Field>>;

const memberFields = {
  weight: {
    kind: 'number',
    above: 0,
    max: 10,
    default: 1,
    description: 'multiplies the account value wherever a size of the member reads it',
  },
} as const satisfies Readonly<Record<string, Field>>;

/** Weights instead of rules. */
export const allocationFields = {
  every: {
    kind: 'enum',
    values: rebalancePeriods,
    default: '1w',
    description: 'how often weights are decided: by day, week (from Monday), month or quarter, in UTC',
  },
  top: {
    kind: 'integer',
    min: 1,
    nullable: true,
    default: null,
    unit: 'assets',
    description: 'how many of the best ranked assets are held; all when null',
  },
  weighting: {
    kind: 'enum',
    values: ['equal', 'inverse_volatility', 'fixed'] satisfies Weighting[],
    default: 'equal',
    description: 'how the weights of the held assets are made',
  },
  band: {
    kind: 'number',
    min: 0,
    below: 1,
    default: 0,
    unit: 'fraction of the account value',
    description: 'an asset that is off its weight by less than this is left alone',
  },
  reserve: {
    kind: 'number',
    min: 0,
    below: 1,
    default: 0,
    unit: 'fraction of the account value',
    description: 'stays cash; the weights sum to the rest',
  },
} as const satisfies Readonly<Record<string, Field>>;

/** Members of a portfolio, and assets of an allocation. */
const MEMBERS_MAX = 200;

/** @throws INVALID_FIELD with field, bound and value for a number of members out of bounds */
export function checkMemberCount(field: string, count: number): void {
  if (count < 1 || count > MEMBERS_MAX) throw wrongField(field, `a list of 1..${MEMBERS_MAX} entries`, count);
}

/**
 * The values of a table's fields in a record, with defaults for absent fields.
 * @param place of the record in what a user wrote, before the names in errors
 */
function readFields<Values extends object>(
  table: Readonly<Record<keyof Values & string, Field>>,
  record: Readonly<Record<string, unknown>>,
  place = '',
): Values {
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(table) as (keyof Values & string)[]) {
    const given = Object.hasOwn(record, name) ? record[name] : undefined;
    const value =
      given === undefined || (given === null && table[name].nullable !== true) ? table[name].default : given;
    checkBounds(place === '' ? name : `${place}.${name}`, table[name], value);
    values[name] = value;
  }
  return values as Values; // each value is within the bounds of its field
}

/** Reads `guards`; absent is none. */
export function readGuardFields(value: unknown, place = 'guards'): PortfolioGuards {
  const record = value ?? {};
  if (!isRecord(record)) throw wrongField(place, 'an object', value);
  refuseUnknownKeys(unknownKeys(place, record, Object.keys(guardFields)));
  return readFields<PortfolioGuards>(guardFields, record, place);
}

/** Reads what becomes of ended assets; absent where a portfolio says nothing of it. */
export function readEnded(record: Readonly<Record<string, unknown>>): { readonly ended?: EndedAssets } {
  const isGiven = Object.keys(endedFields).some((name) => record[name] !== undefined && record[name] !== null);
  return isGiven ? { ended: readFields<EndedAssets>(endedFields, record) } : {};
}

/** Reads `contributions`; null without any. */
export function readContributions(value: unknown, place = 'contributions'): Contributions | null {
  if (value === undefined || value === null) return null;
  if (!isRecord(value)) throw wrongField(place, 'an object', value);
  refuseUnknownKeys(unknownKeys(place, value, Object.keys(contributionFields)));
  const { amount } = value;
  if (typeof amount !== 'number' || !Number.isFinite(amount) || amount === 0) {
    throw wrongField(`${place}.amount`, 'a number other than 0', amount);
  }
  return readFields<Contributions>(contributionFields, value, place);
}

/** The limits of a portfolio over all members. */
interface PortfolioLimits {
  readonly min_balance_threshold: number;
  readonly max_open_positions: number | null;
  readonly max_gross_exposure: number | null;
}

export const readLimits = (record: Readonly<Record<string, unknown>>): PortfolioLimits =>
  readFields<PortfolioLimits>(portfolioFields, record);

/** The weight of a member. */
export function readWeight(record: Readonly<Record<string, unknown>>, place: string): number {
  const { weight } = record;
  if (typeof weight === 'number' && weight < 0) throw shortWeight(`${place}.weight`, 'above 0', weight);
  return readFields<{ readonly weight: number }>(memberFields, record, place).weight;
}

/** Refuses a weight below 0, and names what sells short. */
const shortWeight = (field: string, bound: string, weight: number): EngineError =>
  wrongField(field, `${bound} (weights are long only: what sells short is a member with short_entry)`, weight);

/** What `allocation` says beside its assets. */
export interface AllocationPlan {
  readonly every: RebalancePeriod;
  readonly top: number | null;
  readonly weighting: Weighting;
  readonly weights: readonly number[] | null;
  readonly band: number;
  readonly reserve: number;
}

/** Reads the fields of an allocation of so many assets. @param place as for `readFields` */
export function readAllocationPlan(
  record: Readonly<Record<string, unknown>>,
  assetCount: number,
  place = '',
): AllocationPlan {
  const plan = readFields<Omit<AllocationPlan, 'weights'>>(allocationFields, record, place);
  const field = place === '' ? 'weights' : `${place}.weights`;
  return { ...plan, weights: readWeights(plan.weighting, record.weights, assetCount, field) };
}

function readWeights(
  weighting: Weighting,
  value: unknown,
  assetCount: number,
  field: string,
): readonly number[] | null {
  if (value === undefined || value === null) {
    if (weighting !== 'fixed') return null;
    throw new EngineError('MISSING_FIELD', `${field} is required with weighting fixed`, { field });
  }
  if (weighting !== 'fixed') throw wrongField(field, `null with weighting ${weighting}`, value);
  if (!Array.isArray(value) || value.length !== assetCount) {
    throw wrongField(field, `a list of ${assetCount} numbers, one an asset`, value);
  }
  for (const [a, weight] of value.entries()) {
    if (typeof weight !== 'number' || !Number.isFinite(weight)) {
      throw wrongField(`${field}[${a}]`, 'a number >= 0', weight);
    }
    if (weight < 0) throw shortWeight(`${field}[${a}]`, 'a number >= 0', weight);
  }
  if (!value.some((weight) => weight > 0)) throw wrongField(field, 'a list with a number above 0', value);
  return value;
}
