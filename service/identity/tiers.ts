import { ApiError } from '../api-error.js';
import { DEFI_PRO_CALLS, type MeteredResource } from './metered-resources.js';

/**
 * Most runs of an experiment. Planning examines every run before the first one starts, so this
 * holds in every tier.
 */
export const EXPERIMENT_RUNS_MAX = 1_000_000;

export interface Tier {
  readonly id: string;
  readonly name: string;
  readonly entitlements: readonly string[];
  /** USD; null if the price is not public. */
  readonly priceMonthly: number | null;
  /** Most strategies of one user at a time. Here and below, null means no limit. */
  readonly strategiesMax: number | null;
  readonly monthlyMax: Readonly<Record<MeteredResource, number | null>>;
  readonly backtestsPerSweepMax: number | null;
  readonly concurrentSweepsMax: number | null;
}

/** A tier as enforced and shown: if it does not limit sweeps, the limit of the service applies. */
interface EnforcedTier extends Tier {
  readonly backtestsPerSweepMax: number;
}

const enforced = (tier: Tier): EnforcedTier => ({
  ...tier,
  backtestsPerSweepMax: Math.min(tier.backtestsPerSweepMax ?? EXPERIMENT_RUNS_MAX, EXPERIMENT_RUNS_MAX),
});

/** The tiers of a server whose settings name none. New organizations get the first. */
export const defaultTiers: readonly Tier[] = [
  {
    id: 'local',
    name: 'Local',
    entitlements: ['defi_pro'],
    strategiesMax: null,
    priceMonthly: 0,
    monthlyMax: {
      backtests: null,
      api_calls: null,
      oracle_data_queries: null,
      tokens: null,
      defi_pro_calls: DEFI_PRO_CALLS,
    },
    backtestsPerSweepMax: null,
    concurrentSweepsMax: null,
  },
  {
    id: 'free',
    name: 'Free',
    entitlements: [],
    strategiesMax: 10,
    priceMonthly: 0,
    monthlyMax: {
      backtests: 100,
      api_calls: 10_000,
      oracle_data_queries: 100,
      tokens: 100_000,
      defi_pro_calls: DEFI_PRO_CALLS,
    },
    backtestsPerSweepMax: 100,
    concurrentSweepsMax: 1,
  },
  {
    id: 'pro',
    name: 'Pro',
    entitlements: ['defi_pro'],
    strategiesMax: 200,
    priceMonthly: null,
    monthlyMax: {
      backtests: 10_000,
      api_calls: 1_000_000,
      oracle_data_queries: 10_000,
      tokens: 10_000_000,
      defi_pro_calls: DEFI_PRO_CALLS,
    },
    backtestsPerSweepMax: 5_000,
    concurrentSweepsMax: 3,
  },
  {
    id: 'startup',
    name: 'Startup',
    entitlements: ['defi_pro'],
    strategiesMax: 1_000,
    priceMonthly: null,
    monthlyMax: {
      backtests: 100_000,
      api_calls: 10_000_000,
      oracle_data_queries: 100_000,
      tokens: 100_000_000,
      defi_pro_calls: DEFI_PRO_CALLS,
    },
    backtestsPerSweepMax: 20_000,
    concurrentSweepsMax: 5,
  },
  {
    id: 'enterprise',
    name: 'Enterprise',
    entitlements: ['defi_pro'],
    strategiesMax: null,
    priceMonthly: null,
    monthlyMax: {
      backtests: null,
      api_calls: null,
      oracle_data_queries: null,
      tokens: null,
      defi_pro_calls: DEFI_PRO_CALLS,
    },
    backtestsPerSweepMax: 100_000,
    concurrentSweepsMax: 10,
  },
];

/** The tiers of a server, by id. */
export class Tiers {
  readonly #tiers: ReadonlyMap<string, EnforcedTier>;
  /** Tier of new organizations and of those whose tier is no longer in the settings. */
  readonly first: EnforcedTier;

  /**
   * @throws Error for an empty list, a repeated id or a limit that is neither null nor a whole
   *   number >= 0
   */
  constructor(tiers: readonly Tier[] = defaultTiers) {
    const [first, ...others] = tiers.map(enforced);
    if (first === undefined) throw new Error('tiers must not be empty');
    this.first = first;
    this.#tiers = new Map([first, ...others].map((tier) => [tier.id, tier]));
    if (this.#tiers.size !== tiers.length) throw new Error('tiers must have unique ids');
    for (const { id, strategiesMax, monthlyMax, backtestsPerSweepMax, concurrentSweepsMax } of tiers) {
      for (const limit of [strategiesMax, ...Object.values(monthlyMax), backtestsPerSweepMax, concurrentSweepsMax]) {
        if (limit === null || (Number.isSafeInteger(limit) && limit >= 0)) continue;
        throw new Error(`limits of tier ${id} must be whole numbers >= 0 or null, was ${limit}`);
      }
    }
  }

  get all(): readonly EnforcedTier[] {
    return [...this.#tiers.values()];
  }

  of(id: string): EnforcedTier {
    return this.#tiers.get(id) ?? this.first;
  }

  /**
   * Checks that a tier has an entitlement.
   * @throws ApiError TIER_UPGRADE_REQUIRED
   */
  requireEntitlement(id: string, entitlement: string): void {
    const { name, entitlements } = this.of(id);
    if (entitlements.includes(entitlement)) return;
    throw new ApiError('TIER_UPGRADE_REQUIRED', `Tier ${name} does not have the entitlement ${entitlement}`, {
      entitlement,
    });
  }

  /**
   * Checks that a user may have one more strategy.
   * @param count strategies that the user has now
   * @throws ApiError TIER_UPGRADE_REQUIRED
   */
  requireStrategyRoom(id: string, count: number): void {
    const { name, strategiesMax } = this.of(id);
    if (strategiesMax === null || count < strategiesMax) return;
    const details = { limit: strategiesMax, used: count };
    throw new ApiError(
      'TIER_UPGRADE_REQUIRED',
      `Tier ${name} allows ${strategiesMax} strategies, ${count} in use`,
      details,
    );
  }
}
