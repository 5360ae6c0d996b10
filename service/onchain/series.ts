import type { BalanceGroup, FlowsPort, TokenQuery, Window } from '../../data/upstreams/flows/index.js';
import type { Sourced, Token } from '../../data/upstreams/index.js';
import {
  netIntoExchanges,
  WHALE_HISTORY_MS,
  WHALE_USD_MIN,
  type WhalesPort,
} from '../../data/upstreams/whales/index.js';
import { bucketStart, HOUR_MS, isoTime, parseInterval } from '../../engine/series/index.js';
import { notFound, refuseMissing } from '../api-error.js';
import { provenanceFields, shownSpanOrNull } from '../provenance.js';
import { readChoice, readInteger } from '../read-fields.js';
import { invalid, readDateRange, readToken, requireChain } from './fields.js';

interface SeriesRequest {
  readonly symbol?: string;
  readonly metrics?: unknown;
  readonly interval?: string;
  readonly chain?: string;
  readonly provider?: string;
  readonly top_n?: number;
  readonly date_range?: unknown;
}

const metricNames = [
  'SmartMoneyNetflow',
  'SmartMoneyHoldings',
  'ExchangeNetflow',
  'WhaleNetInflow',
  'HolderConcentration',
] as const;
type Metric = (typeof metricNames)[number];

/** What large transfers alone can tell. */
const transferMetrics: readonly Metric[] = ['ExchangeNetflow', 'WhaleNetInflow'];

const intervals = ['1h', '4h', '1d', '1w'] as const;
const providers = ['nansen', 'whalealert'] as const;
const RANGE_DAYS = 10;
const TOP_N = { min: 1, max: 100, ifAbsent: 10 };

/** Values of one metric by the start of their hour; sums are added up over longer intervals. */
interface HourlyValues {
  readonly isSum: boolean;
  readonly values: ReadonlyMap<number, number>;
}

interface Ports {
  readonly flows: FlowsPort;
  readonly whales: WhalesPort;
}

/** Metrics of a token over time, in whole intervals that have ended. */
export class ChainSeries {
  constructor(private readonly ports: Ports) {}

  /**
   * Oldest first.
   * @throws ApiError MISSING_FIELD, INVALID_FIELD, RESOURCE_NOT_FOUND; UpstreamFault
   */
  async read(request: SeriesRequest) {
    const { token, symbol } = readToken(request.symbol);
    const provider = readChoice('provider', request.provider ?? 'nansen', providers);
    const metrics = readMetrics(request.metrics, provider);
    const interval = readChoice('interval', request.interval ?? '1h', intervals);
    const topN = readInteger('top_n', request.top_n, TOP_N);
    const chain = requireChain(token, request.chain);
    const nowMs = await (provider === 'nansen' ? this.ports.flows : this.ports.whales).nowMs(token);
    const range = readDateRange(request.date_range, nowMs, RANGE_DAYS);
    const intervalMs = parseInterval(interval);
    const window = {
      fromMs: bucketStart(range.window.fromMs, intervalMs),
      toMs: bucketStart(Math.min(range.window.toMs, nowMs), intervalMs),
    };
    const query = { token, chain, ...window };
    const found = await Promise.all(
      metrics.map((metric) =>
        provider === 'nansen' ? this.#flowMetric(metric, query, topN) : this.#transferMetric(metric, token, window),
      ),
    );
    const [first, ...others] = found;
    if (first === undefined || found.some(({ value }) => value === null)) throw notFound('token', symbol);
    const columns = found.map(({ value }) => inIntervals(value ?? nothing, intervalMs));
    const series: Readonly<Record<string, unknown>>[] = [];
    for (let timeMs = window.fromMs; timeMs < window.toMs; timeMs += intervalMs) {
      const row = metrics.map((metric, i) => [metric, columns[i]?.get(timeMs) ?? null]);
      series.push({ timestamp: isoTime(timeMs), ...Object.fromEntries(row) });
    }
    return {
      symbol,
      chain,
      interval,
      date_range: range.shown,
      metrics,
      count: series.length,
      series,
      held: shownSpanOrNull(
        provider === 'nansen'
          ? await this.ports.flows.held(token)
          : { firstMs: nowMs - WHALE_HISTORY_MS, lastMs: nowMs },
      ),
      ...provenanceFields(first, ...others),
    };
  }

  async #flowMetric(metric: Metric, query: TokenQuery & Window, topN: number): Promise<Sourced<HourlyValues | null>> {
    if (metric === 'HolderConcentration') {
      const found = await this.ports.flows.concentration({ ...query, topN });
      return { ...found, value: found.value && level(found.value.map(({ timeMs, share }) => [timeMs, share])) };
    }
    const found = await this.ports.flows.balances({ ...query, group: groupOf[metric] });
    if (found.value === null) return { ...found, value: null };
    const isLevel = metric === 'SmartMoneyHoldings';
    const cells = found.value.map((row) => [row.timeMs, isLevel ? row.valueUsd : row.netUsd] as const);
    return { ...found, value: isLevel ? level(cells) : sum(cells) };
  }

  /** Hours that the transfers do not cover have no value. */
  async #transferMetric(metric: Metric, token: Token, window: Window): Promise<Sourced<HourlyValues | null>> {
    const { whales } = this.ports;
    const nowMs = await whales.nowMs(token);
    const backMs = Math.min(WHALE_HISTORY_MS, Math.max(nowMs - window.fromMs, HOUR_MS));
    const found = await whales.transfers({ token, usdMin: WHALE_USD_MIN, backMs });
    const net = netIntoExchanges(found.value, { fromMs: nowMs - backMs, toMs: window.toMs });
    return { ...found, value: sum([...net].map(([hour, usd]) => [hour, metric === 'ExchangeNetflow' ? usd : -usd])) };
  }
}

const groupOf: Readonly<Record<Exclude<Metric, 'HolderConcentration'>, BalanceGroup>> = {
  SmartMoneyNetflow: 'smart_money',
  SmartMoneyHoldings: 'smart_money',
  ExchangeNetflow: 'exchange',
  WhaleNetInflow: 'whale',
};

type Cells = readonly (readonly [timeMs: number, value: number])[];
const level = (cells: Cells): HourlyValues => ({ isSum: false, values: new Map(cells) });
const sum = (cells: Cells): HourlyValues => ({ isSum: true, values: new Map(cells) });
const nothing = level([]);

function inIntervals({ isSum, values }: HourlyValues, intervalMs: number): ReadonlyMap<number, number> {
  const cells = new Map<number, number>();
  for (const [timeMs, value] of values) {
    const start = bucketStart(timeMs, intervalMs);
    cells.set(start, isSum ? (cells.get(start) ?? 0) + value : value);
  }
  return cells;
}

function readMetrics(value: unknown, provider: (typeof providers)[number]): readonly Metric[] {
  if (value === undefined || value === null) refuseMissing(['metrics']);
  const choices = provider === 'nansen' ? metricNames : transferMetrics;
  if (!Array.isArray(value) || value.length === 0) {
    throw invalid('metrics', `an array of 1 or more of ${choices.join(', ')}`, value);
  }
  const names = value.map((name: unknown, i) => {
    const metric = choices.find((each) => each === name);
    const bound = `one of ${choices.join(', ')}${provider === 'nansen' ? '' : ` from ${provider}`}`;
    if (metric === undefined) throw invalid(`metrics[${i}]`, bound, name ?? null);
    return metric;
  });
  return [...new Set(names)];
}
