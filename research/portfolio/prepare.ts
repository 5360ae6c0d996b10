import { barsFor, normaliseAsset } from '../../data/bars/index.js';
import { EngineError } from '../../engine/errors.js';
import { type ExecutionConfig, idleSettingWarnings, resolveConfig } from '../../engine/execution/index.js';
import {
  type AllocationInput,
  atLastClose,
  type PortfolioInput,
  type PortfolioMember,
} from '../../engine/portfolio/index.js';
import { type BarSeries, closeOfLast, isoTime, type Mask, parseInterval } from '../../engine/series/index.js';
import { conditionFormula, type FreeFormula, valueFormula } from '../../engine/signals/index.js';
import { type DeniedSignal, evaluateRules, firstValues, type StrategyDefinition } from '../../engine/strategy/index.js';
import type { HeldBars } from '../backtest/further-series.js';
import {
  configFor,
  type PreparedRun,
  type PrepareServices,
  prepareRun,
  refuseAllHeldOut,
  requestedStrategy,
} from '../backtest/prepare-run.js';
import { resolveWindow, type WindowRequest } from '../window.js';
import { cutWindow, loadWindow, type RunBars, type WindowBars } from '../window-bars.js';
import {
  type AllocationPortfolio,
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

/** The first bar at whose close a rule of a part has a value; -1 without one. */
interface FirstValue {
  /** Where the definition gives the rule, such as `allocation.where`. */
  readonly rule: string;
  readonly bar: number;
}

/** A member or an asset with its bars. */
interface PreparedPart {
  readonly asset: string;
  /** Name of its strategy; null for an asset of an allocation. */
  readonly strategy: string | null;
  readonly first: number;
  readonly bars: BarSeries;
  readonly contentHash: string;
  readonly source: string;
  readonly warnings: readonly string[];
  readonly denied: readonly DeniedSignal[];
  /** Computed when asked, as sweeps have no use for it. */
  readonly firstValues: () => readonly FirstValue[];
}

export interface PreparedMember extends PreparedPart {
  readonly member: PortfolioMember;
}

export interface PreparedAsset extends PreparedPart {
  readonly rank: Float64Array | null;
  readonly where: Mask | null;
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

/** What the engine reads of a portfolio of rules beside its members and their bars. */
export const rulesInput = (
  { maxOpenPositions, maxGrossExposure, guards, contributions, ended }: RulesPortfolio,
  { config }: PreparedAccount,
): Omit<PortfolioInput, 'members' | 'start'> => ({
  initialBalance: config.initial_balance,
  minBalanceThreshold: config.min_balance_threshold,
  ...{ maxOpenPositions, maxGrossExposure, guards, contributions },
  ended: ended ?? atLastClose,
});

/** The same of an allocation. */
export function weightsInput(
  { plan: { every, band, ...rule }, guards, contributions, ended }: AllocationPortfolio,
  { config }: PreparedAccount,
): Omit<AllocationInput, 'assets' | 'start'> {
  return {
    rule: { ...rule, volatilityWindow: config.volatility_window },
    ...{ every, band, guards, contributions, config },
    ended: ended ?? atLastClose,
  };
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

const rankFormula = ({ rankBy }: RulesPortfolio) => (rankBy === null ? null : valueFormula('rank_by', rankBy));

/**
 * The window that all share: months back count from the latest bar of any of them.
 */
async function sharedWindow(
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

/** The members or assets of a portfolio with their bars and signals. */
export const prepareParts = (
  definition: PortfolioDefinition,
  account: PreparedAccount,
  choices: RunChoices,
  services: PrepareServices,
): Promise<readonly (PreparedMember | PreparedAsset)[]> =>
  definition.kind === 'members'
    ? prepareMembers(definition, account, choices, services)
    : prepareAssets(definition, account, choices, services);

/** @param firstNumber of the members in the whole portfolio, for messages */
export async function prepareMembers(
  definition: RulesPortfolio,
  account: PreparedAccount,
  choices: RunChoices,
  services: PrepareServices,
  firstNumber = 0,
): Promise<PreparedMember[]> {
  const { intervalMs } = account;
  const memberPlace = (m: number): string => `members[${firstNumber + m}]`;
  const ranking = rankFormula(definition);
  const wanted = wantedMembers(definition, choices, intervalMs, ranking, memberPlace);
  const window = await sharedWindow(
    wanted.map(({ asset }) => asset),
    intervalMs,
    choices,
    barsFor(services.store, account.config),
  );
  const prepared: PreparedMember[] = [];
  for (const [m, { member, request, strategy, asset }] of wanted.entries()) {
    const held = choices.held?.[asset];
    const run = await prepareRun({ ...request, window, held }, strategy, services).catch((error: unknown) =>
      rethrow(memberPlace(m), error),
    );
    prepared.push(toMember(run, strategy.name, member, ranking, account));
  }
  return prepared;
}

/** Each member as a run of its own, which its rules and bars are audited by. */
export const memberRequests = (definition: RulesPortfolio, choices: RunChoices, intervalMs: number) =>
  wantedMembers(definition, choices, intervalMs, rankFormula(definition)).map(({ request, asset }) => ({
    ...{ ...request, asset },
    held: choices.held?.[asset],
  }));

/** The members with their strategies and assets. */
function wantedMembers(
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

function toMember(
  run: PreparedRun,
  strategy: string,
  definition: MemberDefinition,
  ranking: FreeFormula<Float64Array> | null,
  account: PreparedAccount,
): PreparedMember {
  const { weight } = definition;
  const { bars, plan, config, others, detail } = run;
  const { entry, exit, short } = evaluateRules(plan, bars, others);
  return {
    ...{ asset: normaliseAsset(run.asset), strategy, first: run.first, bars },
    ...{ contentHash: run.contentHash, source: run.source, denied: plan.denied },
    warnings: [
      ...plan.warnings,
      ...run.warnings,
      ...unreadSettings(config, account.config),
      ...idleSettingWarnings(config, short !== undefined),
    ],
    firstValues: () => [
      ...firstValues(plan, bars, others).map(({ list, signal, bar }) => ({ rule: `${list} ${signal}`, bar })),
      ...listFirstValues('rank_by', ranking, bars),
    ],
    member: {
      ...{ bars, entry, exit, config, weight },
      ...(short !== undefined && { shortEntry: short.entry, shortExit: short.exit }),
      ...(detail !== undefined && { detail }),
      rank: ranking === null ? null : ranking.evaluate(bars),
    },
  };
}

const listFirstValues = (rule: string, formula: FreeFormula<unknown> | null, bars: BarSeries): FirstValue[] =>
  formula === null ? [] : [{ rule, bar: formula.firstValue(bars) }];

/** What an allocation reads of the bars of each asset. */
export function weightFormulas({ rankBy, where }: AllocationPortfolio, { config }: PreparedAccount) {
  const ranking = rankBy === null ? null : valueFormula('allocation.rank_by', rankBy);
  const condition = where === null ? null : conditionFormula('allocation.where', where);
  const barsNeeded = Math.max(ranking?.minBars ?? 0, condition?.minBars ?? 0, config.volatility_window + 1);
  const columns = [...new Set([...(ranking?.columns ?? []), ...(condition?.columns ?? [])])];
  return { ranking, condition, barsNeeded, columns };
}

export async function prepareAssets(
  definition: AllocationPortfolio,
  account: PreparedAccount,
  choices: RunChoices,
  { store: stored, heldOut }: PrepareServices,
): Promise<PreparedAsset[]> {
  const store = barsFor(stored, account.config);
  const { assets } = definition;
  const { intervalMs } = account;
  const { ranking, condition, barsNeeded, columns } = weightFormulas(definition, account);
  const window = await sharedWindow(assets, intervalMs, choices, store);
  const prepared: PreparedAsset[] = [];
  for (const [a, asset] of assets.entries()) {
    const held = await loadAsset(store, asset, {
      intervalMs,
      historyMs: barsNeeded * intervalMs,
      window,
      columns,
      held: choices.held?.[asset],
    }).catch((error: unknown) => rethrow(`allocation.assets[${a}]`, error));
    const { bars, first } = held;
    if (heldOut !== undefined) await refuseAllHeldOut(heldOut, asset, { bars, first });
    prepared.push({
      ...{ asset: normaliseAsset(asset), strategy: null, warnings: held.notes ?? [], denied: [] },
      ...{ first: held.first, bars: held.bars, contentHash: held.contentHash, source: held.source },
      rank: ranking === null ? null : ranking.evaluate(held.bars),
      where: condition === null ? null : condition.evaluate(held.bars),
      firstValues: () => [
        ...listFirstValues('allocation.rank_by', ranking, bars),
        ...listFirstValues('allocation.where', condition, bars),
      ],
    });
  }
  return prepared;
}

async function loadAsset(
  store: RunBars,
  asset: string,
  needs: {
    readonly intervalMs: number;
    readonly historyMs: number;
    readonly window: WindowRequest;
    readonly columns: readonly string[];
    readonly held: HeldBars | undefined;
  },
): Promise<WindowBars & { readonly contentHash: string; readonly source: string }> {
  const { intervalMs, historyMs, window, columns, held: given } = needs;
  if (given !== undefined) {
    requireColumns(asset, given.bars, columns);
    return { ...given, ...cutWindow(given.bars, resolveWindow(window, closeOfLast(given.bars)), asset) };
  }
  const { entry: held } = await store.resolveSource(asset, intervalMs);
  const { startMs, endMs } = resolveWindow(window, held.lastMs + held.intervalMs);
  const source = await store.resolveSource(asset, intervalMs, Number.isFinite(startMs) ? startMs : undefined);
  const loaded = await loadWindow(store, source, { startMs, endMs }, historyMs, columns);
  requireColumns(asset, loaded.bars, columns);
  return { ...loaded, contentHash: source.entry.contentHash, source: source.entry.isSample ? 'sample' : 'catalogue' };
}

function requireColumns(asset: string, { columns: held }: BarSeries, columns: readonly string[]): void {
  const missing = columns.find((name) => held[name] === undefined);
  if (missing === undefined) return;
  throw new EngineError('INVALID_DATA', `the bars of ${asset} have no column ${missing}`, { field: missing });
}

function located<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    return rethrow(place, error);
  }
}

/** Names the member or asset of an error. */
function rethrow(place: string, error: unknown): never {
  if (error instanceof EngineError) throw new EngineError(error.code, `${place}: ${error.message}`, error.details);
  throw error;
}
