import { sha256 } from '../../data/hashes/index.js';
import { canonicalJson } from '../../engine/canonical-json.js';
import type { ExecutionConfig, SizeLimit } from '../../engine/execution/index.js';
import {
  computeExtendedMetrics,
  computeMetrics,
  type ExtendedMetrics,
  extendedMetricUnits,
  withAliases,
} from '../../engine/metrics/index.js';
import { buildMarket, type EndedAssets, endedAfter, type PortfolioSimulation } from '../../engine/portfolio/index.js';
import { type BarSeries, formatInterval, isoTime } from '../../engine/series/index.js';
import type { DeniedSignal } from '../../engine/strategy/index.js';
import type { RunServices } from '../backtest/run-backtest.js';
import { type PortfolioDefinition, parsePortfolio } from './definition.js';
import { lateRules, namedAssets, type RuleStart, ruleStarts } from './first-values.js';
import { type MoneyFlows, moneyFlows, moneyNotes } from './money.js';
import { type PreparedAccount, prepareAccount, type RunChoices } from './outline.js';
import { prepareParts } from './prepare.js';
import { type PortfolioFacts, renderFacts, renderMemberTrade } from './render.js';
import { actingSettings } from './settings.js';
import { type Part, simulateParts } from './simulate.js';

export interface PortfolioRequest extends RunChoices {
  /** Parsed JSON of a portfolio: `members` with rules, or `allocation`. */
  readonly portfolio: unknown;
}

export interface PortfolioResult {
  readonly portfolio: string;
  readonly kind: PortfolioDefinition['kind'];
  readonly interval: string;
  /** Open of the first time, close of the last, over all members. */
  readonly window: { readonly start: string; readonly end: string };
  readonly times: number;
  /** From the first to the last time at which all members trade; null where there is none. */
  readonly shared_window: { readonly start: string; readonly end: string; readonly times: number } | null;
  readonly data: readonly {
    readonly asset: string;
    readonly strategy: string | null;
    readonly source: string;
    readonly content_hash: string;
    readonly bars: number;
    /** Of the member's own bars in the window. */
    readonly start: string;
    readonly end: string;
  }[];
  /** Of the account; a setting that all members have alike is theirs, others are in `members`. */
  readonly execution_config: ExecutionConfig;
  readonly metrics: ReturnType<typeof withAliases>;
  readonly extended_metrics: ExtendedMetrics;
  readonly extended_metric_units: typeof extendedMetricUnits;
  readonly members: readonly (PortfolioFacts['members'][number] & {
    /** Settings that it has otherwise than `execution_config`. */
    readonly settings: Readonly<Record<string, unknown>>;
    /** Filled entries by the limit that made them smaller. */
    readonly limited: Readonly<Partial<Record<SizeLimit, number>>>;
  })[];
  /** Null where nothing is paid in or out. */
  readonly contributions: MoneyFlows | null;
  readonly correlation: PortfolioFacts['correlation'];
  readonly turnover: number;
  readonly largest_gross_exposure: number;
  readonly largest_net_exposure: number;
  readonly denied_by_limits: number;
  /** Of each rule of a member, and of rank and condition. */
  readonly first_values: readonly RuleStart[];
  readonly trade_count: number;
  /** Bar numbers are counted from the first tradable bar of the member. */
  readonly trades: readonly ReturnType<typeof renderMemberTrade>[];
  readonly denied_entries: readonly { readonly member: number; readonly timestamp: string; readonly reason: string }[];
  readonly denied_signals: readonly (DeniedSignal & { readonly member: number })[];
  readonly warnings: readonly string[];
  readonly manifest: {
    /** Derived from data, window, definition and settings: the same run has the same id everywhere. */
    readonly run_id: string;
    readonly engine_version: string;
    readonly interval: string;
    readonly window: { readonly start: string; readonly end: string };
    readonly request: { readonly portfolio: unknown; readonly config: unknown };
    readonly result_hash: string;
  };
}

/** A finished run: the result to show, and the columns behind it. */
export interface PortfolioRun {
  readonly result: PortfolioResult;
  readonly simulation: PortfolioSimulation;
  /** Its members or assets, with their bars. */
  readonly parts: readonly Part[];
  /** The assets held evenly, the benchmark of the run, with a bar for each time. */
  readonly market: BarSeries;
}

/**
 * Runs one account over several assets: resolves settings, loads the bars of every member with
 * their history, evaluates the rules or ranks, simulates and measures.
 *
 * @throws EngineError for anything that the caller can fix
 */
export async function runPortfolio(request: PortfolioRequest, services: RunServices): Promise<PortfolioRun> {
  const definition = parsePortfolio(request.portfolio);
  const account = prepareAccount(definition, request);
  const parts = await prepareParts(definition, account, request, services);
  const simulation = simulateParts(definition, account, parts, { keepsCourses: true });
  const market = buildMarket(
    parts.map(({ bars }) => bars),
    simulation.timeline,
    parts.map(({ asset }) => asset),
  );
  const starts = ruleStarts(parts);
  const { start, lookbackMonths } = request.window;
  const late = start === undefined && lookbackMonths === undefined ? [] : lateRules(starts);
  const noted = { ...account, warnings: [...account.warnings, ...late] };
  const result = {
    ...buildResult(request, definition, noted, parts, simulation, market, services),
    first_values: starts,
  };
  return { result, simulation, market, parts };
}

/** Of the ids of portfolios. */
export const RUN_PREFIX = 'pf_';

function buildResult(
  request: PortfolioRequest,
  definition: PortfolioDefinition,
  { intervalMs, config, warnings }: PreparedAccount,
  parts: readonly Part[],
  simulation: PortfolioSimulation,
  market: BarSeries,
  { engineVersion }: RunServices,
): Omit<PortfolioResult, 'first_values'> {
  const { timeline, trades, denials, equity, exposedTimes } = simulation;
  const { times } = timeline;
  // biome-ignore lint/style/noNonNullAssertion: every member has a bar in the window
  const window = { start: isoTime(times[0]!), end: isoTime(times[times.length - 1]! + intervalMs) };
  const input = { bars: market, first: 0, config, equity, trades, exposedBars: exposedTimes };
  const identity = [
    parts.map(({ contentHash }) => contentHash),
    window,
    request.portfolio,
    request.config ?? {},
    config,
  ];
  const runId = `${RUN_PREFIX}${sha256(canonicalJson(identity)).slice(0, 16)}`;
  const { members, correlation, ...facts } = renderFacts(simulation, parts);
  const acting = actingSettings(
    config,
    parts.flatMap((part) => ('member' in part ? [part.member.config] : [])),
  );
  const shown = trades.map((trade, i) => {
    // biome-ignore lint/style/noNonNullAssertion: a trade has one of the members
    const part = parts[trade.member]!;
    const labels = { runId, strategy: part.strategy ?? definition.name, originBar: part.first };
    return renderMemberTrade(trade, i, simulation, part, labels);
  });
  const contributions = moneyFlows(definition, simulation, config.initial_balance);
  const metrics = withAliases(computeMetrics(input));
  return {
    portfolio: definition.name,
    kind: definition.kind,
    interval: formatInterval(intervalMs),
    window,
    times: times.length,
    shared_window: sharedWindow(parts, times, intervalMs),
    data: parts.map(({ asset, strategy, source, contentHash, bars, first }) => ({
      ...{ asset, strategy, source, content_hash: contentHash, bars: bars.barCount - first },
      // biome-ignore lint/style/noNonNullAssertion: every member has a bar in the window
      start: isoTime(bars.time[first]!),
      // biome-ignore lint/style/noNonNullAssertion: the same
      end: isoTime(bars.time[bars.barCount - 1]! + intervalMs),
    })),
    execution_config: acting.config,
    metrics,
    extended_metrics: computeExtendedMetrics(input),
    extended_metric_units: extendedMetricUnits,
    members: members.map((member, m) => ({
      ...member,
      settings: acting.own[m] ?? {},
      limited: simulation.members[m]?.limited ?? {},
    })),
    ...{ contributions, correlation, ...facts },
    trade_count: trades.length,
    trades: shown,
    denied_entries: denials.map(({ member, bar, reason }) => ({
      member,
      // biome-ignore lint/style/noNonNullAssertion: a denial has one of the members and of its bars
      timestamp: isoTime(parts[member]!.bars.time[bar]!),
      reason,
    })),
    denied_signals: parts.flatMap(({ denied }, member) => denied.map((signal) => ({ ...signal, member }))),
    warnings: [
      ...warnings,
      ...moneyNotes(contributions),
      ...spanNotes(parts, times, definition),
      ...parts.flatMap(labelled),
    ],
    manifest: {
      run_id: runId,
      engine_version: engineVersion,
      ...{ interval: formatInterval(intervalMs), window },
      request: { portfolio: request.portfolio, config: request.config ?? {} },
      result_hash: sha256(canonicalJson([Array.from(equity), shown, denials, metrics])),
    },
  };
}

/** The window in which every member has begun and none has ended. */
function sharedWindow(
  parts: readonly Part[],
  times: Float64Array,
  intervalMs: number,
): PortfolioResult['shared_window'] {
  const from = Math.max(...parts.map(({ bars, first }) => bars.time[first] ?? NaN));
  const to = Math.min(...parts.map(({ bars }) => bars.time[bars.barCount - 1] ?? NaN));
  const count = times.filter((time) => time >= from && time <= to).length;
  return count === 0 ? null : { start: isoTime(from), end: isoTime(to + intervalMs), times: count };
}

const labelled = ({ warnings, asset }: Part): string[] => warnings.map((warning) => `${asset}: ${warning}`);

/** Names the members whose bars begin later or end earlier than the others' bars. */
function spanNotes(parts: readonly Part[], times: Float64Array, { ended }: PortfolioDefinition): string[] {
  const begins = parts.map(({ bars, first }) => bars.time[first] ?? NaN);
  const ends = parts.map(({ bars }) => (bars.time[bars.barCount - 1] ?? NaN) + bars.intervalMs);
  const [start, end] = [Math.min(...begins), Math.max(...ends)];
  const late = assetsBy(parts, (m) => (begins[m] === start ? null : (begins[m] as number)));
  const early = assetsBy(parts, (m) => (ends[m] === end ? null : (ends[m] as number)));
  return [
    ...late.map(([at, assets]) => `no bars before ${isoTime(at)}: ${assets} ${joins(assets)} then`),
    ...early.map(([at, assets]) => {
      const after = ended?.ended_after ?? endedAfter(parts[0]?.bars.intervalMs ?? NaN);
      const hasEnded = times.filter((time) => time >= at).length >= after;
      return `no bars after ${isoTime(at)}: ${assets} ${hasEnded ? leaves(assets, after, ended) : keeps(assets)}`;
    }),
  ];
}

const isOne = (assets: string): boolean => !assets.includes(',');
const joins = (assets: string): string => (isOne(assets) ? 'joins' : 'join');
const keeps = (assets: string): string => (isOne(assets) ? 'keeps its last close' : 'keep their last closes');

/** What becomes of assets that have ended. */
const leaves = (assets: string, after: number, ended: EndedAssets | undefined): string => {
  const price = ended?.ended_price === 'zero' ? 'written down to 0' : 'sold at the last close';
  const has = isOne(assets) ? 'has' : 'have';
  return `${has} ended once others show ${after} more bars: no rank or condition, and what is held is ${price} (ENDED)`;
};

/** The assets that share a time, by time. */
function assetsBy(parts: readonly Part[], timeOf: (m: number) => number | null): [number, string][] {
  const byTime = new Map<number, string[]>();
  for (const [m, { asset }] of parts.entries()) {
    const at = timeOf(m);
    if (at !== null) byTime.set(at, [...(byTime.get(at) ?? []), asset]);
  }
  return [...byTime].map(([at, assets]) => [at, namedAssets(assets)]);
}
