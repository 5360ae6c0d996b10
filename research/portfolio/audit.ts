import { laterColumn, laterMask, rotatedColumn, rotatedMask } from '../../engine/audit/index.js';
import { buildMarket, type PortfolioSimulation } from '../../engine/portfolio/index.js';
import { firstBarFrom, isoTime, type Mask, sliceBars } from '../../engine/series/index.js';
import { SplitMix64 } from '../../engine/statistics/index.js';
import type { AuditOptions } from '../../workers/index.js';
import { type AuditReport, auditBacktest } from '../backtest/audit-backtest.js';
import type { RunServices } from '../backtest/run-backtest.js';
import type { RunBars } from '../window-bars.js';
import { type PortfolioDefinition, parsePortfolio } from './definition.js';
import { type RuleStart, ruleStarts } from './first-values.js';
import { keptBars } from './kept-bars.js';
import { outlinePortfolio, type PreparedAccount, prepareAccount } from './outline.js';
import { memberRequests, prepareParts } from './prepare.js';
import type { PortfolioRequest } from './run-portfolio.js';
import { type Part, simulateParts } from './simulate.js';

/** What the account shows although the bars that it may read did not change. */
interface AccountFinding {
  readonly kind: 'look-ahead';
  readonly what: 'account value' | 'trades';
  /** Open time of the first bar that differs. */
  readonly time: string;
  /** Bars that open from here on were removed. */
  readonly cut: string;
}

/** The same portfolio under a change that should not decide its result. */
interface WhatIf {
  /** Such as `costs twice` or `without members[1] ETH`. */
  readonly change: string;
  readonly profit: number;
  readonly total_return: number;
  readonly trades: number;
  /** Return of the same assets held evenly over the same time. */
  readonly market_return: number;
}

/** The same signals at other times: what they are worth by chance. */
interface Chance {
  readonly draws: number;
  /** Number of draws whose return is at least the portfolio's. */
  readonly as_good: number;
  readonly luck_p: number;
  readonly median_return: number;
}

export interface PortfolioAuditReport {
  readonly is_clean: boolean;
  readonly times: number;
  readonly cuts: number;
  readonly findings: readonly AccountFinding[];
  /** The rules of each member on its asset, as a strategy is audited; none in an allocation. */
  readonly members: readonly { readonly member: number; readonly asset: string; readonly report: AuditReport }[];
  /** From when on each rank, condition and rule of a member has a value. */
  readonly first_values: readonly RuleStart[];
  /** The first is the portfolio as it is. */
  readonly what_if: readonly WhatIf[];
  /** Null where nothing decides when to trade, as in an allocation without ranks. */
  readonly chance: Chance | null;
}

/** Draws of other times for the signals. */
const DRAWS = 199;
const COSTS = 2;
/** Parts of the window after which the portfolio begins once more. */
const LATER_STARTS = [0.25, 0.5, 0.75];

interface AuditServices extends RunServices {
  /** The simulation under audit. Default: the engine's. */
  readonly simulate?: typeof simulateParts;
}

/** A portfolio that is ready to run, and what it gave. */
interface Audited {
  readonly definition: PortfolioDefinition;
  readonly account: PreparedAccount;
  readonly parts: readonly Part[];
  readonly simulate: typeof simulateParts;
  readonly whole: PortfolioSimulation;
}

/**
 * Audits a portfolio. The rules of its members are audited as strategies are. Then the bars of all
 * assets are cut off at random times, from which every account value before and every trade that
 * closed before must stay. What the result hangs on is told and never fails. The same seed cuts
 * and draws the same. Cost: a run for each cut, each member and each draw.
 *
 * @throws EngineError as `runPortfolio` does
 */
export async function auditPortfolio(
  request: PortfolioRequest,
  options: AuditOptions,
  { simulate = simulateParts, ...services }: AuditServices,
  signal?: AbortSignal,
): Promise<PortfolioAuditReport> {
  const definition = parsePortfolio(request.portfolio);
  const account = prepareAccount(definition, request);
  const kept = { ...services, store: cutBars(services.store) };
  const choices = { ...request, window: await fixedWindow(request, services.store) };
  const parts = await prepareParts(definition, account, choices, kept);
  const whole = simulate(definition, account, parts);
  const audited = { definition, account, parts, simulate, whole };
  const { times } = whole.timeline;
  const random = new SplitMix64(options.seed);
  const cuts = drawCuts(parts, times, options.cutCount, random);
  const findings: AccountFinding[] = [];
  for (const cut of cuts) {
    signal?.throwIfAborted();
    const end = isoTime(times[cut] ?? NaN);
    const known = await prepareParts(definition, account, { ...choices, window: { ...choices.window, end } }, kept);
    for (const [what, bar] of differencesBefore(cut, whole, simulate(definition, account, known))) {
      if (findings.some((finding) => finding.what === what)) continue;
      findings.push({ kind: 'look-ahead', what, time: isoTime(times[bar] ?? NaN), cut: end });
    }
  }
  const members = await auditMembers(definition, choices, account.intervalMs, options, services, signal);
  return {
    is_clean: findings.length === 0 && members.every(({ report }) => report.is_clean),
    ...{ times: times.length, cuts: cuts.length, findings, members },
    first_values: ruleStarts(parts),
    what_if: whatIfs(audited),
    chance: measureChance(audited, random),
  };
}

/** The window with its first time, so that runs over fewer bars begin where the whole begins. */
async function fixedWindow(request: PortfolioRequest, store: RunBars) {
  const { start, end, lookbackMonths } = request.window;
  if (lookbackMonths === undefined) return { start, end };
  return { start: isoTime((await outlinePortfolio(request.portfolio, request, store)).startMs), end };
}

async function auditMembers(
  definition: PortfolioDefinition,
  choices: PortfolioRequest,
  intervalMs: number,
  options: AuditOptions,
  services: RunServices,
  signal: AbortSignal | undefined,
): Promise<PortfolioAuditReport['members']> {
  if (definition.kind === 'allocation') return [];
  const audits: PortfolioAuditReport['members'][number][] = [];
  for (const [member, request] of memberRequests(definition, choices, intervalMs).entries()) {
    audits.push({ member, asset: request.asset, report: await auditBacktest(request, options, services, signal) });
  }
  return audits;
}

/**
 * Random times after which bars are removed, ascending: each part must have a bar before, or it
 * could not run.
 */
function drawCuts(parts: readonly Part[], times: Float64Array, count: number, random: SplitMix64): number[] {
  const latest = Math.max(...parts.map(({ bars, first }) => bars.time[first] ?? NaN));
  const from = times.findIndex((time) => time > latest);
  if (from === -1) return [];
  const drawn = Array.from({ length: count }, () => from + Math.floor(random.uniform() * (times.length - from)));
  return [...new Set(drawn)].sort((a, b) => a - b);
}

/** Where a run up to a time differs from the whole: what, and at which time. */
function differencesBefore(
  cut: number,
  whole: PortfolioSimulation,
  known: PortfolioSimulation,
): (readonly [AccountFinding['what'], number])[] {
  // At its last close all is sold, which costs something.
  const close = Array.from({ length: cut - 1 }, (_, i) => i).find((i) => whole.equity[i] !== known.equity[i]);
  const closed = ({ trades }: PortfolioSimulation) =>
    trades.filter(({ exitTime, exitReason }) => exitTime < cut && exitReason !== 'END');
  const [before, now] = [closed(whole), closed(known)];
  const place = Array.from({ length: Math.max(before.length, now.length) }, (_, i) => i).find((i) => {
    const [a, b] = [before[i], now[i]];
    return (
      a?.member !== b?.member ||
      a?.entryBar !== b?.entryBar ||
      a?.exitTime !== b?.exitTime ||
      a?.exitReason !== b?.exitReason ||
      a?.profitLoss !== b?.profitLoss
    );
  });
  const trade = place === undefined ? undefined : (before[place] ?? now[place]);
  return [
    ...(close === undefined ? [] : [['account value', close] as const]),
    ...(trade === undefined ? [] : [['trades', trade.exitTime] as const]),
  ];
}

/** What the result hangs on: costs, the newest bar, single members, the start. */
function whatIfs({ definition, account, parts, simulate, whole }: Audited): WhatIf[] {
  const { times } = whole.timeline;
  const outcome = (change: string, simulation: PortfolioSimulation, over: readonly Part[] = parts): WhatIf => {
    const assets = over.map(({ asset }) => asset);
    const market = buildMarket(
      over.map(({ bars }) => bars),
      simulation.timeline,
      assets,
    );
    return {
      change,
      ...summariseResult(simulation, account),
      market_return: growth(market.open[0], market.close.at(-1)),
    };
  };
  const list = definition.kind === 'members' ? 'members' : 'allocation.assets';
  return [
    outcome('as it is', whole),
    outcome('costs twice', simulate(definition, account, parts, { costs: COSTS })),
    ...(hasSignals(parts) ? [outcome('signals one bar later', simulate(definition, account, parts.map(later)))] : []),
    ...(parts.length === 1
      ? []
      : parts.map(({ asset }, p) => {
          const others = parts.filter((_, other) => other !== p);
          return outcome(`without ${list}[${p}] ${asset}`, simulate(without(definition, p), account, others), others);
        })),
    ...LATER_STARTS.map((part) => {
      const start = times[Math.floor(part * times.length)] ?? NaN;
      return outcome(`from ${isoTime(start)} on`, simulate(definition, account, parts, { start }));
    }),
  ];
}

const growth = (from: number | undefined, to: number | undefined): number => (to ?? NaN) / (from ?? NaN) - 1;

function summariseResult({ equity, trades }: PortfolioSimulation, { config }: PreparedAccount) {
  const balance = config.initial_balance;
  const end = equity.at(-1) ?? balance;
  return { profit: end - balance, total_return: end / balance - 1, trades: trades.length };
}

/** The definition without one of its parts, where it says something of each of them. */
function without(definition: PortfolioDefinition, part: number): PortfolioDefinition {
  if (definition.kind === 'members') return definition;
  const { plan } = definition;
  return { ...definition, plan: { ...plan, weights: plan.weights?.filter((_, p) => p !== part) ?? null } };
}

/** The portfolio's return among the returns of the same signals at other times, all moved alike. */
function measureChance({ definition, account, parts, simulate, whole }: Audited, random: SplitMix64): Chance | null {
  if (!hasSignals(parts)) return null;
  const { total_return: own } = summariseResult(whole, account);
  const length = whole.timeline.times.length;
  const returns = Array.from({ length: DRAWS }, () => {
    const by = 1 + Math.floor(random.uniform() * Math.max(1, length - 1));
    const moved = parts.map((part) => withSignals(part, rotating(part, by)));
    return summariseResult(simulate(definition, account, moved), account).total_return;
  }).sort((a, b) => a - b);
  const asGood = returns.filter((one) => one >= own).length;
  return {
    ...{ draws: DRAWS, as_good: asGood, luck_p: (1 + asGood) / (1 + DRAWS) },
    median_return: returns[DRAWS >> 1] ?? NaN,
  };
}

const hasSignals = (parts: readonly Part[]): boolean =>
  parts.some((part) => 'member' in part || part.rank !== null || part.where !== null);

/** A change of signals: of conditions and of ranks. */
interface Change {
  readonly mask: (mask: Mask) => Mask;
  readonly column: (cells: Float64Array) => Float64Array;
}

const later = (part: Part): Part =>
  withSignals(part, { mask: (mask) => laterMask(mask, part.bars.barCount), column: laterColumn });

const rotating = ({ bars: { barCount }, first }: Part, by: number): Change => ({
  mask: (mask) => rotatedMask(mask, barCount, first, by),
  column: (cells) => rotatedColumn(cells, first, by),
});

function withSignals(part: Part, { mask, column }: Change): Part {
  const ranked = (rank: Float64Array | null) => (rank === null ? null : column(rank));
  const masked = (where: Mask | null | undefined) => (where == null ? where : mask(where));
  if (!('member' in part)) return { ...part, rank: ranked(part.rank), where: masked(part.where) ?? null };
  const { entry, exit, shortEntry, shortExit, rank } = part.member;
  return {
    ...part,
    member: {
      ...part.member,
      ...{ entry: mask(entry), exit: mask(exit), rank: ranked(rank) },
      ...(shortEntry != null && { shortEntry: mask(shortEntry) }),
      ...(shortExit != null && { shortExit: mask(shortExit) }),
    },
  };
}

/** Reads each series once, whole, and cuts off what a query leaves out. */
function cutBars(store: RunBars): RunBars {
  const kept = keptBars(store);
  return {
    ...kept,
    async load({ toMs, ...query }) {
      const { bars } = await kept.load(query);
      return { bars: toMs === undefined ? bars : sliceBars(bars, 0, firstBarFrom(bars, toMs)) };
    },
  };
}
