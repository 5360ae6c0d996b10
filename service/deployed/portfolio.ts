import { normaliseAsset } from '../../data/bars/index.js';
import { canonicalJson } from '../../engine/canonical-json.js';
import { EngineError, wrongField } from '../../engine/errors.js';
import type { ExecutionConfig } from '../../engine/execution/index.js';
import type { AllocationInput, PortfolioInput } from '../../engine/portfolio/index.js';
import { formatInterval, type Mask, parseInterval } from '../../engine/series/index.js';
import type { FreeFormula } from '../../engine/signals/index.js';
import {
  anyColumn,
  columnsRead,
  neededHistoryMs,
  planStrategy,
  type StrategyDefinition,
} from '../../engine/strategy/index.js';
import {
  parsePortfolio,
  prepareAccount,
  rulesInput,
  tradedMembers,
  weightFormulas,
  weightsInput,
} from '../../research/portfolio/index.js';

/** An asset whose bars the account reads, and how far back. */
interface DeployedAsset {
  readonly baseAsset: string;
  readonly intervalMs: number;
  readonly config: ExecutionConfig;
  readonly historyMs: number;
  readonly columns: readonly string[];
}

/** A strategy on an asset. */
export interface DeployedMember extends DeployedAsset {
  /** Of the member; no strategy has the same id. */
  readonly id: string;
  readonly strategy: StrategyDefinition;
  readonly weight: number;
}

/** One account over members with rules. */
export interface DeployedRules {
  readonly kind: 'members';
  readonly members: readonly DeployedMember[];
  readonly ranking: FreeFormula<Float64Array> | null;
  readonly rules: Omit<PortfolioInput, 'members' | 'start'>;
}

/** Weights that are rebalanced. */
export interface DeployedWeights {
  readonly kind: 'allocation';
  readonly assets: readonly DeployedAsset[];
  readonly ranking: FreeFormula<Float64Array> | null;
  readonly condition: FreeFormula<Mask> | null;
  readonly weights: Omit<AllocationInput, 'assets' | 'start'>;
}

interface ReadPortfolio {
  readonly portfolio: DeployedRules | DeployedWeights;
  /** Of the account. */
  readonly config: ExecutionConfig;
  readonly warnings: readonly string[];
  /** Everything that its trades depend on, as JSON. */
  readonly identity: string;
}

/**
 * Reads a portfolio that is deployed under an id. Its members can be told from the strategies of the
 * file: a blank is no part of an id.
 * @throws EngineError as a run of it does, before any bar is read
 */
export function readDeployedPortfolio(id: string, json: unknown, intervalMs: number): ReadPortfolio {
  const definition = parsePortfolio(json);
  const { interval } = definition;
  if (interval !== null && parseInterval(interval) !== intervalMs) {
    throw wrongField('portfolio.interval', `${formatInterval(intervalMs)}, the timeframe, or left out`, interval);
  }
  const choices = { interval: formatInterval(intervalMs), window: {} };
  const account = prepareAccount(definition, choices);
  const { config } = account;
  const { name: _, interval: __, config: ___, contributions, ...shared } = definition;
  if (contributions !== null) {
    throw wrongField('portfolio.contributions', 'left out: a deployed portfolio keeps its account', contributions);
  }
  if (definition.kind === 'allocation') {
    const { ranking, condition, barsNeeded, columns } = weightFormulas(definition, account);
    const assets = definition.assets.map((asset) => ({
      ...{ baseAsset: normaliseAsset(asset), intervalMs, config, historyMs: barsNeeded * intervalMs, columns },
    }));
    return {
      portfolio: { kind: 'allocation', assets, ranking, condition, weights: weightsInput(definition, account) },
      config,
      warnings: account.warnings,
      identity: canonicalJson({ ...shared, intervalMs, config }),
    };
  }
  const { members, ranking } = tradedMembers(definition, account, choices);
  const warnings = [...account.warnings];
  const read = members.map((member, m): DeployedMember => {
    const { strategy, asset, weight } = member;
    const plan = planStrategy(strategy, intervalMs, anyColumn);
    const [denied] = plan.denied;
    if (denied !== undefined) {
      throw new EngineError('INVALID_STRATEGY', `members[${m}]: ${denied.side}: ${denied.message}`);
    }
    warnings.push(...member.warnings.map((warning) => `${asset}: ${warning}`));
    return {
      ...{ id: `${id} ${m}`, baseAsset: normaliseAsset(asset), intervalMs, strategy, config: member.config, weight },
      historyMs: Math.max(neededHistoryMs(plan, member.config), (ranking?.minBars ?? 0) * intervalMs),
      columns: [...columnsRead(strategy), ...(ranking?.columns ?? [])],
    };
  });
  const { members: ____, ...limits } = shared as typeof shared & { readonly members: unknown };
  const traded = read.map(({ baseAsset, strategy: { entry, exit, shortEntry, shortExit }, config: own, weight }) => ({
    ...{ asset: baseAsset, entry, exit, config: own, weight },
    ...(shortEntry !== undefined && { shortEntry, shortExit }),
  }));
  return {
    portfolio: { kind: 'members', members: read, ranking, rules: rulesInput(definition, account) },
    config,
    warnings,
    identity: canonicalJson({
      ...{ ...limits, minBalanceThreshold: config.min_balance_threshold, intervalMs, config },
      members: traded,
    }),
  };
}

/** The assets of a portfolio, each once. */
export const assetsOfPortfolio = (portfolio: DeployedRules | DeployedWeights): readonly string[] => [
  ...new Set((portfolio.kind === 'members' ? portfolio.members : portfolio.assets).map(({ baseAsset }) => baseAsset)),
];
