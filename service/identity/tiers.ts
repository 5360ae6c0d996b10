import { ApiError } from '../api-error.js';

/** What the monthly counters count; `tokens` are those of language models. */
export const meteredResources = ['backtests', 'api_calls', 'oracle_data_queries', 'tokens'] as const;
export type MeteredResource = (typeof meteredResources)[number];

/**
 * Runs of an experiment, each of which is looked at before the first one runs: more are not
 * planned, whatever a tier allows.
 */
export const EXPERIMENT_RUNS_MAX = 1_000_000;

export interface Tier {
  readonly id: string;
  readonly name: string;
  readonly entitlements: readonly string[];
  /** USD; null where it is not for everybody to read. */
  readonly priceMonthly: number | null;
  /** Strategies of one user at a time; null here and below: no limit. */
  readonly strategiesMax: number | null;
  readonly monthlyMax: Readonly<Record<MeteredResource, number | null>>;
  readonly backtestsPerSweepMax: number | null;
  readonly concurrentSweepsMax: number | null;
}

/**
 * A tier as it is enforced and shown: a sweep without a limit of its tier has that of the service.
 */
interface EnforcedTier extends Tier {
  readonly backtestsPerSweepMax: number;
}

const enforced = (tier: Tier): EnforcedTier => ({
  ...tier,
  backtestsPerSweepMax: Math.min(tier.backtestsPerSweepMax ?? EXPERIMENT_RUNS_MAX, EXPERIMENT_RUNS_MAX),
});

/** The tiers of a server whose settings name none. The first is that of new organizations. */
export const defaultTiers: readonly Tier[] = [
  {
    id: 'local',
    name: 'Local',
    entitlements: ['defi_pro'],
    strategiesMax: null,
    priceMonthly: 0,
    monthlyMax: { backtests: null, api_calls: null, oracle_data_queries: null, tokens: null },
    backtestsPerSweepMax: null,
    concurrentSweepsMax: null,
  },
  {
    id: 'free',
    name: 'Free',
    entitlements: [],
    strategiesMax: 10,
    priceMonthly: 0,
    monthlyMax: { backtests: 100, api_calls: 10_000, oracle_data_queries: 100, tokens: 100_000 },
    backtestsPerSweepMax: 100,
    concurrentSweepsMax: 1,
  },
  {
    id: 'pro',
    name: 'Pro',
    entitlements: ['defi_pro'],
    strategiesMax: 200,
    priceMonthly: null,
    monthlyMax: { backtests: 10_000, api_calls: 1_000_000, oracle_data_queries: 10_000, tokens: 10_000_000 },
    backtestsPerSweepMax: 5_000,
    concurrentSweepsMax: 3,
  },
  {
    id: 'startup',
    name: 'Startup',
    entitlements: ['defi_pro'],
    strategiesMax: 1_000,
    priceMonthly: null,
    monthlyMax: { backtests: 100_000, api_calls: 10_000_000, oracle_data_queries: 100_000, tokens: 100_000_000 },
    backtestsPerSweepMax: 20_000,
    concurrentSweepsMax: 5,
  },
  {
    id: 'enterprise',
    name: 'Enterprise',
    entitlements: ['defi_pro'],
    strategiesMax: null,
    priceMonthly: null,
    monthlyMax: { backtests: null, api_calls: null, oracle_data_queries: null, tokens: null },
    backtestsPerSweepMax: 100_000,
    concurrentSweepsMax: 10,
  },
];

/** The tiers of a server, by id. */
export class Tiers {
  readonly #tiers: ReadonlyMap<string, EnforcedTier>;
  /** Tier of new organizations, and of those whose own is no longer among the settings. */
  readonly first: EnforcedTier;

  /** @throws Error for an empty list, an id used twice or a limit that is no whole number from 0 */
  constructor(tiers: readonly Tier[] = defaultTiers) {
    const [first, ...others] = tiers.map(enforced);
    if (first === undefined) throw new Error('tiers must not be empty');
    this.first = first;
    this.#tiers = new Map([first, ...others].map((tier) => [tier.id, tier]));
    if (this.#tiers.size !== tiers.length) throw new Error('tiers must have ids of their own');
    for (const { id, strategiesMax, monthlyMax, backtestsPerSweepMax, concurrentSweepsMax } of tiers) {
      for (const limit of [strategiesMax, ...Object.values(monthlyMax), backtestsPerSweepMax, concurrentSweepsMax]) {
        if (limit === null || (Number.isSafeInteger(limit) && limit >= 0)) continue;
        throw new Error(`limits of tier ${id} must be whole numbers from 0 or null, was ${limit}`);
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
   * Room for one strategy more.
   * @param count strategies that the user has
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
