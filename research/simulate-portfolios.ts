import { sha256 } from '../data/hashes/index.js';
import { canonicalJson } from '../engine/canonical-json.js';
import { wrongField } from '../engine/errors.js';
import { type ExecutionConfig, resolveConfig } from '../engine/execution/index.js';
import { computeMetrics, type Metrics } from '../engine/metrics/index.js';
import {
  type AllocatedAsset,
  buildMarket,
  checkMemberCount,
  endedFields,
  guardFields,
  type PortfolioMember,
  type PortfolioSimulation,
  portfolioFields,
  readAllocationPlan,
  readEnded,
  readGuardFields,
  readLimits,
  readWeight,
  simulateAllocation,
  simulatePortfolio,
} from '../engine/portfolio/index.js';
import { type BarSeries, createMask, parseInterval } from '../engine/series/index.js';
import { refuseUnknownKeys, unknownKeys } from '../engine/unknown-keys.js';
import { type PortfolioFacts, renderFacts, renderMemberTrade } from './portfolio/render.js';
import { asRecord, invalid, readBars, readMask, readMasks, required, withFunding } from './simulate-inputs.js';

/** Answer to a request of a portfolio or an allocation; bars are numbered as the member's bars. */
export interface PortfolioAnswer {
  readonly trades: readonly ReturnType<typeof renderMemberTrade>[];
  readonly metrics: Metrics;
  readonly denied_entries: readonly [member: number, bar: number, reason: string][];
  /** Account value at the close of each time of the union. */
  readonly equity: readonly number[];
  readonly portfolio: PortfolioFacts;
  readonly order_expired?: number;
  readonly warnings: readonly string[];
}

/** A run whose request is checked; null for a request of one asset. */
export function readPortfolioRequest(request: Record<string, unknown>, id: string): (() => PortfolioAnswer) | null {
  const kind = ['portfolio', 'allocation'].find((key) => request[key] !== undefined && request[key] !== null);
  if (kind === undefined) return null;
  refuseUnknownKeys(unknownKeys('request', request, ['id', kind]));
  const record = asRecord(request[kind], kind);
  return kind === 'portfolio' ? readPortfolio(record, id) : readAllocation(record, id);
}

const PORTFOLIO_KEYS = [
  'interval',
  'start',
  'initial_balance',
  ...Object.keys(portfolioFields),
  ...Object.keys(endedFields),
  'guards',
  'members',
];
const MEMBER_KEYS = ['asset', 'weight', 'bars', 'masks', 'config', 'rank', 'columns'];

function readPortfolio(record: Record<string, unknown>, id: string): () => PortfolioAnswer {
  refuseUnknownKeys(unknownKeys('portfolio', record, PORTFOLIO_KEYS));
  const interval = parseInterval(required(record, 'interval'));
  const limits = readLimits(record);
  const account = resolveConfig({ request: balanceField(record), interval });
  const warnings: string[] = [];
  const members = readList(record, 'members').map((entry, m) => {
    const { member, warned } = readMember(entry, `members[${m}]`, interval);
    warnings.push(...warned.map((warning) => `members[${m}]: ${warning}`));
    return member;
  });
  const input = {
    members,
    start: readStart(record),
    initialBalance: account.config.initial_balance,
    minBalanceThreshold: limits.min_balance_threshold,
    maxOpenPositions: limits.max_open_positions,
    maxGrossExposure: limits.max_gross_exposure,
    guards: readGuardFields(record.guards),
    ...readEnded(record),
  };
  const runId = sha256(canonicalJson([id, record]));
  return () => {
    const simulation = simulatePortfolio(input);
    const answer = toAnswer(simulation, members, account.config, { runId, strategy: id }, warnings);
    const expired = simulation.ordersExpired.reduce((sum, count) => sum + count, 0);
    const hasOrders = members.some(({ config }) => config.entry_order !== undefined);
    return hasOrders ? { ...answer, order_expired: expired } : answer;
  };
}

type NamedMember = PortfolioMember & { readonly asset: string };

function readMember(entry: unknown, place: string, interval: number) {
  const record = asRecord(entry, place);
  refuseUnknownKeys(unknownKeys(place, record, MEMBER_KEYS));
  for (const name of Object.keys(guardFields)) refuseGuard(record.config, `guard_${name}`, place);
  const { config, warnings } = resolveConfig({ request: record.config, interval, takesPositionFields: true });
  const weight = readWeight(record, place);
  const bars = withFunding(
    readBars(required(record, 'bars', `${place}.bars`), interval, `${place}.bars`),
    record.columns,
    `${place}.columns`,
  );
  const { shortEntry, shortExit, ...long } = readMasks(
    required(record, 'masks', `${place}.masks`),
    bars.barCount,
    `${place}.masks`,
  );
  const short = shortEntry === null ? {} : { shortEntry, shortExit: shortExit ?? createMask(bars.barCount) };
  const rank = readRank(record.rank, bars, `${place}.rank`);
  const member: NamedMember = { asset: readAsset(record, place), bars, ...long, ...short, config, weight, rank };
  return { member, warned: warnings };
}

/** The guards watch the account, so they are the portfolio's. */
function refuseGuard(config: unknown, name: string, place: string): void {
  if (typeof config !== 'object' || config === null || !Object.hasOwn(config, name)) return;
  throw invalid(`${place}.config.${name}`, 'is a guard of the whole account, write it in `guards` of the portfolio');
}

const ALLOCATION_KEYS = [
  ...['interval', 'start', 'initial_balance', 'every', 'top', 'weighting', 'weights', 'band', 'reserve'],
  ...['guards', 'config', 'assets', ...Object.keys(endedFields)],
];

function readAllocation(record: Record<string, unknown>, id: string): () => PortfolioAnswer {
  refuseUnknownKeys(unknownKeys('allocation', record, ALLOCATION_KEYS));
  const interval = parseInterval(required(record, 'interval'));
  const { config, warnings } = resolveConfig({
    request: { ...asRecord(record.config ?? {}, 'config'), ...balanceField(record) },
    interval,
  });
  const list = readList(record, 'assets');
  const assets = list.map((entry, a) => readAllocated(entry, `assets[${a}]`, interval));
  const isRanked = assets.some(({ rank }) => rank !== null);
  const { every, band, ...rule } = readAllocationPlan(record, assets.length);
  const input = {
    // With ranks, an asset without one is never defined.
    assets: assets.map((asset) => ({ ...asset, rank: isRanked ? (asset.rank ?? undefinedRank(asset.bars)) : null })),
    rule: { ...rule, volatilityWindow: config.volatility_window },
    ...{ every, band, config },
    guards: readGuardFields(record.guards),
    ...readEnded(record),
    start: readStart(record),
  };
  const runId = sha256(canonicalJson([id, record]));
  return () => toAnswer(simulateAllocation(input), assets, config, { runId, strategy: id }, warnings);
}

function readAllocated(entry: unknown, place: string, interval: number): AllocatedAsset & { readonly asset: string } {
  const record = asRecord(entry, place);
  refuseUnknownKeys(unknownKeys(place, record, ['asset', 'bars', 'rank', 'where']));
  const bars = readBars(required(record, 'bars', `${place}.bars`), interval, `${place}.bars`);
  const where = record.where ?? null;
  return {
    asset: readAsset(record, place),
    bars,
    rank: readRank(record.rank, bars, `${place}.rank`),
    where: where === null ? null : readMask(`${place}.where`, where, bars.barCount),
  };
}

const undefinedRank = ({ barCount }: BarSeries): Float64Array => new Float64Array(barCount).fill(NaN);

function readAsset(record: Record<string, unknown>, place: string): string {
  const asset = required(record, 'asset', `${place}.asset`);
  if (typeof asset === 'string' && asset !== '') return asset;
  throw wrongField(`${place}.asset`, 'a text', asset);
}

function readList(record: Record<string, unknown>, key: string): unknown[] {
  const list = required(record, key);
  if (!Array.isArray(list)) throw wrongField(key, 'an array', list);
  checkMemberCount(key, list.length);
  return list;
}

const balanceField = ({ initial_balance }: Record<string, unknown>) =>
  initial_balance === undefined || initial_balance === null ? {} : { initial_balance };

/** Epoch ms; without a start, everything is tradable. */
function readStart({ start }: Record<string, unknown>): number {
  if (start === undefined || start === null) return -Infinity;
  if (typeof start === 'number' && Number.isFinite(start)) return start * 1000;
  throw wrongField('start', 'epoch seconds', start);
}

/** A value or null for each bar. */
function readRank(rank: unknown, { barCount }: BarSeries, field: string): Float64Array | null {
  if (rank === undefined || rank === null) return null;
  if (!Array.isArray(rank) || rank.length !== barCount) {
    throw wrongField(field, `an array of ${barCount} numbers or nulls, one a bar`, rank);
  }
  return Float64Array.from(rank, (value, i) => {
    if (value === null) return NaN;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    throw wrongField(`${field}[${i}]`, 'a number or null', value);
  });
}

function toAnswer(
  simulation: PortfolioSimulation,
  members: readonly { readonly asset: string; readonly bars: BarSeries }[],
  config: ExecutionConfig,
  labels: { readonly runId: string; readonly strategy: string },
  warnings: readonly string[],
): PortfolioAnswer {
  const { timeline, trades, denials, equity } = simulation;
  const market = buildMarket(
    members.map(({ bars }) => bars),
    timeline,
    members.map(({ asset }) => asset),
  );
  return {
    trades: trades.map((trade, i) => {
      // biome-ignore lint/style/noNonNullAssertion: a trade has one of the members
      const member = members[trade.member]!;
      return renderMemberTrade(trade, i, simulation, member, { ...labels, originBar: 0 });
    }),
    metrics: computeMetrics({ bars: market, first: 0, config, equity, trades, exposedBars: simulation.exposedTimes }),
    denied_entries: denials.map(({ member, bar, reason }) => [member, bar, reason]),
    equity: Array.from(equity),
    portfolio: renderFacts(simulation, members),
    warnings,
  };
}
