import type { Token } from '../../data/upstreams/index.js';
import { WHALE_USD_MIN, type WhalesPort, type WhaleTransfer } from '../../data/upstreams/whales/index.js';
import { HOUR_MS, isoTime } from '../../engine/series/index.js';
import { provenanceFields } from '../provenance.js';
import { readInteger } from '../read-fields.js';
import { HOURS_BACK, limitBounds, readToken, readUsd } from './fields.js';

interface WindowRequest {
  readonly symbol?: string;
  readonly hours_back?: number;
}

interface TransactionsRequest extends WindowRequest {
  readonly min_value?: number;
  readonly limit?: number;
}

/** Large transfers, and what they add up to. */
export class WhaleMoves {
  constructor(private readonly whales: WhalesPort) {}

  /** Newest first. @throws ApiError INVALID_FIELD, RESOURCE_NOT_FOUND; UpstreamFault */
  async transactions(request: TransactionsRequest) {
    const token = optionalToken(request.symbol);
    const usdMin = readUsd('min_value', request.min_value, WHALE_USD_MIN);
    const hoursBack = readInteger('hours_back', request.hours_back, HOURS_BACK);
    const limit = readInteger('limit', request.limit, limitBounds(1_000));
    const found = await this.whales.transfers({ token: token?.token ?? null, usdMin, backMs: hoursBack * HOUR_MS });
    const transactions = found.value.transfers.slice(0, limit).map(transferJson);
    return {
      count: transactions.length,
      min_value_usd: usdMin,
      hours_back: hoursBack,
      is_complete: found.value.isComplete && transactions.length === found.value.transfers.length,
      transactions,
      ...provenanceFields(found),
    };
  }

  /**
   * By exchange, the largest turnover first.
   * @throws ApiError INVALID_FIELD, RESOURCE_NOT_FOUND; UpstreamFault
   */
  async exchangeFlows(request: WindowRequest) {
    const asked = optionalToken(request.symbol);
    const hoursBack = readInteger('hours_back', request.hours_back, HOURS_BACK);
    const found = await this.#large(asked?.token ?? null, hoursBack);
    const rows = new Map<string, { inflow_usd: number; outflow_usd: number }>();
    const exchangeRow = (exchange: string) => {
      const row = rows.get(exchange) ?? { inflow_usd: 0, outflow_usd: 0 };
      rows.set(exchange, row);
      return row;
    };
    for (const { from, to, amountUsd } of found.value.transfers) {
      if (to.isExchange) exchangeRow(to.owner ?? UNNAMED).inflow_usd += amountUsd;
      if (from.isExchange) exchangeRow(from.owner ?? UNNAMED).outflow_usd += amountUsd;
    }
    const flows = [...rows].map(([exchange, row]) => ({
      exchange,
      ...row,
      net_usd: row.inflow_usd - row.outflow_usd,
    }));
    flows.sort((a, b) => b.inflow_usd + b.outflow_usd - a.inflow_usd - a.outflow_usd);
    return {
      symbol: asked?.symbol ?? null,
      timeframe: `${hoursBack}h`,
      net_flow_usd: flows.reduce((sum, { net_usd }) => sum + net_usd, 0),
      flows,
      is_complete: found.value.isComplete,
      ...provenanceFields(found),
    };
  }

  /** @throws ApiError INVALID_FIELD, RESOURCE_NOT_FOUND; UpstreamFault */
  async activity(request: WindowRequest) {
    const { token, symbol } = readToken(request.symbol);
    const hoursBack = readInteger('hours_back', request.hours_back, HOURS_BACK);
    const found = await this.#large(token, hoursBack);
    const { transfers, isComplete } = found.value;
    const summary = {
      transaction_count: transfers.length,
      total_volume_usd: 0,
      largest_tx_usd: 0,
      to_exchanges_usd: 0,
      from_exchanges_usd: 0,
    };
    for (const { from, to, amountUsd } of transfers) {
      summary.total_volume_usd += amountUsd;
      summary.largest_tx_usd = Math.max(summary.largest_tx_usd, amountUsd);
      if (to.isExchange) summary.to_exchanges_usd += amountUsd;
      if (from.isExchange) summary.from_exchanges_usd += amountUsd;
    }
    return { symbol, hours_back: hoursBack, summary, is_complete: isComplete, ...provenanceFields(found) };
  }

  #large(token: Token | null, hoursBack: number) {
    return this.whales.transfers({ token, usdMin: WHALE_USD_MIN, backMs: hoursBack * HOUR_MS });
  }
}

const UNNAMED = 'unknown';

const optionalToken = (symbol: string | undefined) =>
  symbol === undefined || symbol.trim() === '' ? null : readToken(symbol);

const transferJson = (transfer: WhaleTransfer) => ({
  hash: transfer.hash,
  symbol: transfer.symbol,
  amount: transfer.amount,
  amount_usd: transfer.amountUsd,
  from: transfer.from.address,
  to: transfer.to.address,
  timestamp: isoTime(transfer.timeMs),
  from_owner: transfer.from.owner,
  to_owner: transfer.to.owner,
  blockchain: transfer.blockchain,
});
