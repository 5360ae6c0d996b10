import { barsFor } from '../../data/bars/index.js';
import { EngineError } from '../../engine/errors.js';
import { type ExecutionConfig, idleSettingWarnings, resolveConfig } from '../../engine/execution/index.js';
import { closeOfLast, isoTime, parseInterval } from '../../engine/series/index.js';
import { type FreeFormula, valueFormula } from '../../engine/signals/index.js';
import type { StrategyDefinition } from '../../engine/strategy/index.js';
import type { HeldBars } from '../backtest/further-series.js';
import { configFor, requestedStrategy } from '../backtest/prepare-run.js';
import { resolveWindow, type WindowRequest } from '../window.js';
import type { RunBars } from '../window-bars.js';
import {
  type MemberDefinition,
  type PortfolioDefinition,
  parsePortfolio,
  type RulesPortfolio,
  refuseGuards,
} from './definition.js';
import { actingSettings, idleInAllocation, memberNames, settingsByMember, unreadSettings } from './settings.js';

/** What a run may say over the definition of a portfolio. */
export interface RunChoices {
  readonly interval?: string | undefined;
  readonly window: WindowRequest;
  /** Settings that override the definition's and every member's. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  /** Bars at hand by asset, to use instead of the catalogue. */
  readonly held?: Readonly<Record<string, HeldBars>> | undefined;
}

/** The window and the settings of the account, the same for all members. */
export interface PreparedAccount {
  readonly intervalMs: number;
  readonly config: ExecutionConfig;
  readonly warnings: readonly string[];
}

/** @throws EngineError where neither the definition nor the run gives an interval */
export function prepareAccount(definition: PortfolioDefinition, choices: RunChoices): PreparedAccount {
  const interval = choices.interval ?? definition.interval;
  if (interval === null) throw new EngineError('MISSING_FIELD', 'interval is required', { field: 'interval' });
  const intervalMs = parseInterval(interval);
  const request = { ...definition.config, ...choices.config };
  refuseGuards(choices.config ?? {}, 'execution_config');
  const { config, warnings } = resolveConfig({ request, interval: intervalMs, takesPositionFields: true });
  const idle = definition.kind === 'allocation' ? idleInAllocation(request) : [];
  return { intervalMs, config, warnings: [...warnings, ...idle] };
}

/** What a run of a portfolio will be, known before any bar is loaded. */
interface PortfolioOutline {
  readonly definition: PortfolioDefinition;
  readonly account: PreparedAccount;
  /** Of the members or of the allocation, in their order. */
  readonly assets: readonly string[];
  /** From the first bar that any member may trade to the close of the last, epoch ms. */
  readonly startMs: number;
  readonly endMs: number;
  /** Bars that the members trade, together. */
  readonly bars: number;
}

/**
 * Reads the definition of a run and finds the bars of its members.
 * @throws EngineError for what can be told without bars
 */
export async function outlinePortfolio(
  portfolio: unknown,
  choices: RunChoices,
  held: RunBars,
): Promise<PortfolioOutline> {
  const definition = parsePortfolio(portfolio);
  const account = prepareAccount(definition, choices);
  const store = barsFor(held, account.config);
  const { intervalMs } = account;
  const assets = definition.kind === 'members' ? memberAssets(definition, choices, intervalMs) : definition.assets;
  const window = await sharedWindow(assets, intervalMs, choices, store);
  const spans = await Promise.all(
    assets.map(async (asset) => {
      const { entry } = await store.resolveSource(asset, intervalMs);
      const lastMs = entry.lastMs + entry.intervalMs;
      const { startMs, endMs } = resolveWindow(window, lastMs);
      return [Math.max(startMs, entry.firstMs), Math.min(endMs, lastMs)] as const;
    }),
  );
  const bars = spans.reduce((sum, [from, to]) => sum + Math.max(0, to - from) / intervalMs, 0);
  const startMs = Math.min(...spans.map(([from]) => from));
  const endMs = Math.max(...spans.map(([, to]) => to));
  return { definition, account, assets, startMs, endMs, bars: Math.ceil(bars) };
}

const memberAssets = (definition: RulesPortfolio, choices: RunChoices, intervalMs: number): readonly string[] =>
  wantedMembers(definition, choices, intervalMs, rankFormula(definition)).map(({ asset }) => asset);

export const rankFormula = ({ rankBy }: RulesPortfolio) => (rankBy === null ? null : valueFormula('rank_by', rankBy));

/**
 * The window that all share: months back count from the latest bar of any of them.
 */
export async function sharedWindow(
  assets: readonly string[],
  intervalMs: number,
  { window, held = {} }: RunChoices,
  store: RunBars,
): Promise<WindowRequest> {
  const { lookbackMonths, ...rest } = window;
  if (lookbackMonths === undefined) return rest;
  const ends = await Promise.all(
    assets.map(async (asset) => {
      const given = held[asset];
      if (given !== undefined) return closeOfLast(given.bars);
      const { entry } = await store.resolveSource(asset, intervalMs);
      return (await store.nowMs?.(asset, intervalMs)) ?? entry.lastMs + entry.intervalMs;
    }),
  );
  return { ...rest, start: isoTime(resolveWindow(window, Math.max(...ends)).startMs) };
}

/** A member as an account takes it that reads bars as they close. */
interface TradedMember {
  readonly strategy: StrategyDefinition;
  readonly asset: string;
  readonly weight: number;
  readonly config: ExecutionConfig;
  readonly warnings: readonly string[];
}

/** The members of a portfolio with their strategies and settings, and what ranks them. */
export function tradedMembers(definition: RulesPortfolio, account: PreparedAccount, choices: RunChoices) {
  const { intervalMs } = account;
  const ranking = rankFormula(definition);
  const wanted = wantedMembers(definition, choices, intervalMs, ranking);
  const members = wanted.map(({ member, request, strategy, asset }, m): TradedMember => {
    const { config, warnings } = located(`members[${m}]`, () => configFor(request, strategy, intervalMs));
    const unread = unreadSettings(config, account.config);
    const idle = idleSettingWarnings(config, strategy.shortEntry !== undefined);
    return { strategy, asset, weight: member.weight, config, warnings: [...warnings, ...unread, ...idle] };
  });
  return { members, ranking };
}

/** The settings that will act in a run, by member where they differ; known without bars. */
export function definedSettings(definition: PortfolioDefinition, choices: RunChoices) {
  const account = prepareAccount(definition, choices);
  const members = definition.kind === 'members' ? tradedMembers(definition, account, choices).members : [];
  const configs = members.map(({ config }) => config);
  return settingsByMember(actingSettings(account.config, configs), memberNames(members));
}

/** The members with their strategies and assets. */
export function wantedMembers(
  definition: RulesPortfolio,
  choices: RunChoices,
  intervalMs: number,
  ranking: FreeFormula<Float64Array> | null,
  placeOf = (m: number): string => `members[${m}]`,
) {
  return definition.members.map((member, m) => {
    const request = memberRequest(definition, member, choices, intervalMs, ranking);
    const strategy = located(placeOf(m), () => requestedStrategy(request));
    const asset = request.asset ?? strategy.asset;
    if (asset !== null) return { member, request, strategy, asset };
    const field = `${placeOf(m)}.asset`;
    throw new EngineError('MISSING_FIELD', `${field} is required, as its strategy names none`, { field });
  });
}

function memberRequest(
  definition: RulesPortfolio,
  { strategy, asset, config }: MemberDefinition,
  choices: RunChoices,
  intervalMs: number,
  ranking: FreeFormula<Float64Array> | null,
) {
  return {
    strategy,
    asset: asset ?? undefined,
    interval: choices.interval ?? definition.interval ?? undefined,
    window: choices.window,
    config: { ...definition.config, ...config, ...choices.config },
    alsoReads: { columns: ranking?.columns ?? [], historyMs: (ranking?.minBars ?? 0) * intervalMs },
  };
}

function located<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    return rethrow(place, error);
  }
}

/** Names the member or asset of an error. */
export function rethrow(place: string, error: unknown): never {
  if (error instanceof EngineError) throw new EngineError(error.code, `${place}: ${error.message}`, error.details);
  throw error;
}
