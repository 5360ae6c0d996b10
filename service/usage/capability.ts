import { type MethodName, meterName, methodNames } from '../../contract/index.js';
import { isoTime } from '../../engine/series/index.js';
import { type MeterName, type MonthOfUsage, meters, type Quotas, walletPriceUsd } from '../access/index.js';
import type { Assistant } from '../assistant/assistant.js';
import type { SqlBacktestStore } from '../backtests/store.js';
import type { Caller } from '../caller.js';
import type { Capability, Foundation } from '../capability.js';
import type { Identity } from '../identity/capability.js';
import {
  type ManagementKey,
  type MeteredResource,
  meteredResources,
  type Tier,
  type Tiers,
} from '../identity/index.js';
import { SqlPaymentStore } from '../payments/store.js';
import type { StrategyStore } from '../strategies/store.js';

interface UsageParts {
  readonly quotas: Quotas;
  readonly tiers: Tiers;
  readonly countStrategies: (userId: string) => Promise<number>;
  readonly countBacktests: (userId: string) => Promise<number>;
  /** REST endpoints of a method, for the table of prices. */
  readonly documentedRoutes: (method: MethodName) => readonly string[];
  /** A user's conversations with the assistant; tokens are estimated. */
  readonly conversations: (userId: string) => Promise<ConversationTotals>;
  readonly managementKey: ManagementKey;
  readonly payments: Pick<SqlPaymentStore, 'totals'>;
}

interface ConversationTotals {
  readonly conversations: number;
  readonly messages: number;
  readonly userTokens: number;
  readonly assistantTokens: number;
  /** What a language model has read: the prompt files, and everything else. */
  readonly systemTokens: number;
  readonly contextTokens: number;
  readonly toolCalls: Readonly<Record<string, number>>;
}

/** Use of a resource and its limit; null means unlimited. */
interface Count {
  readonly used: number;
  readonly limit: number | null;
}

const meterNames = Object.keys(meters) as MeterName[];

/**
 * What an organization used in the current calendar month (UTC), what it costs and what its tier
 * allows. Only calls of metered methods are counted.
 */
export class Usage {
  readonly #parts: UsageParts;

  constructor(parts: UsageParts) {
    this.#parts = parts;
  }

  /**
   * @param managementKey with it, the answer has what wallets paid the service this month
   * @throws ApiError PERMISSION_DENIED for a wrong management key
   */
  async get({ orgId, tier }: Caller, managementKey?: string) {
    const { quotas, tiers, payments } = this.#parts;
    if (managementKey !== undefined) this.#parts.managementKey.require(managementKey);
    const { month, startMs, endMs, used } = await quotas.month(orgId);
    const { id, monthlyMax } = tiers.of(tier);
    return {
      tier: id,
      month,
      resets_at: isoTime(endMs),
      counters: usageCounters(used, monthlyMax),
      meters: Object.fromEntries(meterNames.map((name) => [name, usageCost(name, used[name] ?? 0)])),
      ...(managementKey === undefined ? {} : { payments: await payments.totals(startMs, endMs) }),
    };
  }

  /** The table of prices: one call of any of the endpoints costs one unit of the meter. */
  async listPrices() {
    return {
      currency: 'USD',
      prices: meterNames.map((meter) => ({
        meter,
        unit_price_usd: meters[meter].unitPriceUsd,
        wallet_price_usd: walletPriceUsd(meters[meter]),
        quota_counter: meters[meter].counter,
        endpoints: meteredMethods(meter).flatMap(this.#parts.documentedRoutes),
      })),
    };
  }

  async listTiers() {
    return { tiers: this.#parts.tiers.all.map(toTier) };
  }

  /** What the caller has made. */
  async getUserMetrics({ userId }: Caller) {
    const { countStrategies, countBacktests, conversations } = this.#parts;
    const [strategies, backtests, talks] = await Promise.all([
      countStrategies(userId),
      countBacktests(userId),
      conversations(userId),
    ]);
    const total = talks.systemTokens + talks.contextTokens + talks.userTokens + talks.assistantTokens;
    return {
      metrics: {
        conversations_count: talks.conversations,
        messages_count: talks.messages,
        estimated_tokens: total,
        token_breakdown: {
          ...{ system_tokens: talks.systemTokens, context_tokens: talks.contextTokens },
          user_tokens: talks.userTokens,
          assistant_tokens: talks.assistantTokens,
          total_tokens: total,
        },
        strategies_count: strategies,
        backtests_count: backtests,
        tool_calls: talks.toolCalls,
      },
    };
  }

  async getSubscription({ orgId, userId, tier }: Caller) {
    const { quotas, tiers, countStrategies } = this.#parts;
    const [{ startMs, endMs, used }, strategies] = await Promise.all([quotas.month(orgId), countStrategies(userId)]);
    const own = toTier(tiers.of(tier));
    const usage: Readonly<Record<string, number>> = { strategies, ...onlyUsed(used) };
    const limits: Readonly<Record<string, number | null>> = own.limits;
    const isReached = (name: string): boolean => (limits[name] ?? Number.POSITIVE_INFINITY) <= (usage[name] ?? 0);
    return {
      ...own,
      usage,
      limits_exceeded: Object.keys(usage).filter(isReached),
      current_period_start: isoTime(startMs),
      current_period_end: isoTime(endMs),
    };
  }

  async getUtilization({ orgId, userId, tier }: Caller) {
    const { quotas, tiers, countStrategies } = this.#parts;
    const [{ used }, strategies] = await Promise.all([quotas.month(orgId), countStrategies(userId)]);
    const { strategiesMax, monthlyMax } = tiers.of(tier);
    return { strategies: { used: strategies, limit: strategiesMax }, ...usageCounters(used, monthlyMax) };
  }
}

const onlyUsed = (used: MonthOfUsage) =>
  Object.fromEntries(meteredResources.map((name) => [name, used[name] ?? 0])) as Record<MeteredResource, number>;

const usageCounters = (used: MonthOfUsage, monthlyMax: Tier['monthlyMax']) =>
  Object.fromEntries(
    meteredResources.map((name) => [name, { used: used[name] ?? 0, limit: monthlyMax[name] }]),
  ) as Record<MeteredResource, Count>;

/** Rounds to a millionth of a dollar, which removes the error of binary fractions. */
function usageCost(meter: MeterName, used: number) {
  const { unitPriceUsd } = meters[meter];
  return { used, unit_price_usd: unitPriceUsd, cost_usd: Math.round(used * unitPriceUsd * 1e6) / 1e6 };
}

const meteredMethods = (meter: MeterName): readonly MethodName[] =>
  methodNames.filter((method) => meterName(method) === meter);

const toTier = ({ id, name, priceMonthly, entitlements, ...tier }: Tier) => ({
  tier_id: id,
  tier_name: name,
  price_monthly: priceMonthly,
  entitlements,
  limits: {
    strategies: tier.strategiesMax,
    ...tier.monthlyMax,
    max_backtests_per_sweep: tier.backtestsPerSweepMax,
    concurrent_sweep_cap: tier.concurrentSweepsMax,
  },
});

interface UsageNeeds {
  readonly identity: Identity;
  readonly quotas: Quotas;
  readonly strategies: StrategyStore;
  readonly backtests: SqlBacktestStore;
  readonly assistant: Assistant;
}

export function openUsage({ state, rest }: Foundation, needs: UsageNeeds): Capability<'Usage'> {
  const { identity, quotas, strategies, backtests, assistant } = needs;
  const { tiers, managementKey } = identity;
  const usage = new Usage({
    ...{ quotas, tiers, managementKey, documentedRoutes: rest.documentedRoutes },
    countStrategies: (userId) => strategies.count(userId),
    countBacktests: async (userId) =>
      (await backtests.history(userId, { includeArchived: true, limit: 1, offset: 0 })).total,
    conversations: (userId) => assistant.totals(userId),
    payments: new SqlPaymentStore(state.db),
  });
  return {
    methods: {
      'Usage.Get': (_, { caller, credentials }) => usage.get(caller, credentials.managementKey),
      'Usage.ListPrices': () => usage.listPrices(),
      'Usage.ListTiers': () => usage.listTiers(),
      'Usage.GetSubscription': (_, { caller }) => usage.getSubscription(caller),
      'Usage.GetUserMetrics': (_, { caller }) => usage.getUserMetrics(caller),
      'Usage.GetUtilization': (_, { caller }) => usage.getUtilization(caller),
    },
  };
}
