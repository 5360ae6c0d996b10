import { barsFor, normaliseAsset } from '../../data/bars/index.js';
import { cutWindow } from '../../engine/backtest/index.js';
import { EngineError } from '../../engine/errors.js';
import { idleSettingWarnings } from '../../engine/execution/index.js';
import {
  type AllocationInput,
  atLastClose,
  KnownEntries,
  type PortfolioInput,
  type PortfolioMember,
} from '../../engine/portfolio/index.js';
import { type BarSeries, closeOfLast, type Mask } from '../../engine/series/index.js';
import { conditionFormula, type FreeFormula, valueFormula } from '../../engine/signals/index.js';
import { type DeniedSignal, evaluateRules, firstValues } from '../../engine/strategy/index.js';
import type { HeldBars } from '../backtest/further-series.js';
import { type PreparedRun, type PrepareServices, prepareRun, refuseAllHeldOut } from '../backtest/prepare-run.js';
import { resolveWindow, type WindowRequest } from '../window.js';
import { loadWindow, type RunBars, type WindowBars } from '../window-bars.js';
import type { AllocationPortfolio, MemberDefinition, PortfolioDefinition, RulesPortfolio } from './definition.js';
import { type PreparedAccount, type RunChoices, rankFormula, rethrow, sharedWindow, wantedMembers } from './outline.js';
import { unreadSettings } from './settings.js';

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
  const member = {
    ...{ bars, entry, exit, config },
    ...(short !== undefined && { shortEntry: short.entry, shortExit: short.exit }),
    ...(detail !== undefined && { detail }),
  };
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
      ...member,
      weight,
      rank: ranking === null ? null : ranking.evaluate(bars),
      known: KnownEntries.of(member, undefined) ?? undefined,
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
