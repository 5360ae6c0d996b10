import type { FlowsPort, RowQuery } from '../../data/upstreams/flows/index.js';
import { tokens } from '../../data/upstreams/index.js';
import { parseIsoTime } from '../../engine/series/index.js';
import type { UpstreamAnswer } from './upstream-server.js';

// biome-ignore lint/suspicious/noExplicitAny: the body of a request, in the provider's form
type Body = any;

/** Answers in the format of Nansen's API, version 1, with the figures of a port. */
export function nansenAnswers(flows: FlowsPort): UpstreamAnswer {
  const reads: Readonly<Record<string, (body: Body) => Promise<unknown>>> = {
    async 'token-screener'(body) {
      const { token_address: addresses, include_smart_money_labels: labels } = body.filters;
      const token = addresses === undefined ? undefined : tokenAt(addresses[0], body.chains[0]);
      const { value } = await flows.trading({
        chains: body.chains,
        timeframe: body.timeframe,
        ...(labels && { labels }),
        ...(token && { token }),
      });
      const rows = value.map((row) => ({
        chain: row.chain,
        token_address: '0x',
        token_symbol: row.symbol,
        nof_traders: row.walletCount,
        buy_volume: row.inflowUsd,
        sell_volume: row.outflowUsd,
        netflow: row.inflowUsd - row.outflowUsd,
        market_cap_usd: null,
      }));
      return paged(rows, body);
    },
    async 'smart-money/holdings'(body) {
      const { value_usd: range, include_smart_money_labels: labels = [] } = body.filters;
      const limit = body.pagination.per_page;
      const { value } = await flows.holdings({ chains: body.chains, labels, valueUsdMin: range.min, limit });
      return paged(
        value.map((row) => ({
          chain: row.chain,
          token_symbol: row.symbol,
          value_usd: row.valueUsd,
          holders_count: row.holdersCount,
          balance_24h_percent_change: row.change24hPct,
          share_of_holdings_percent: null,
        })),
        body,
      );
    },
    async 'smart-money/historical-holdings'(body) {
      const { from, to } = body.date_range;
      const window = { fromMs: parseIsoTime(from), toMs: parseIsoTime(to) + 86_400_000 };
      const { value } = await flows.historicalHoldings({ chains: body.chains, ...window, ...rowQuery(body) });
      return lastPage(value.map((row) => ({ ...row, balance: 1, token_age_days: null })));
    },
    async 'smart-money/dex-trades'(body) {
      const { value } = await flows.dexTrades({ chains: body.chains, ...rowQuery(body, 'trade_value_usd') });
      return lastPage(
        value.map(({ action: _, value_usd, ...row }) => ({
          ...row,
          block_timestamp: row.block_timestamp.replace('Z', ''),
          trade_value_usd: value_usd,
        })),
      );
    },
    async 'smart-money/perp-trades'(body) {
      const { filters, ...query } = rowQuery(body);
      const only = body.only_new_positions === true ? { only_new_positions: true } : {};
      const { value } = await flows.perpTrades({ ...query, filters: { ...filters, ...only } });
      return lastPage(value.map(({ is_new_position: _, ...row }) => row));
    },
    async 'tgm/dex-trades'(body) {
      const query = { ...tokenQuery(body), ...rowQuery(body, 'estimated_value_usd') };
      const { value } = await flows.tokenDexTrades(query);
      return value && lastPage(value.map(tokenTrade));
    },
    async 'tgm/flows'(body) {
      const query = { ...tokenQuery(body), ...rowQuery(body), label: body.label ?? null };
      const { value } = await flows.tokenFlows(query);
      const rows = value?.map((row) => ({
        date: row.date,
        bucket_end: null,
        price_usd: row.price_usd,
        token_amount: row.token_amount,
        value_usd: row.value_usd,
        holders_count: row.holders_count,
        total_inflows_count: row.total_inflows_count,
        total_outflows_count: -row.total_outflows_count,
        total_inflows_dex: null,
      }));
      return (
        rows && { data: rows, pagination: { ...body.pagination, is_last_page: rows.length < body.pagination.per_page } }
      );
    },
    async 'tgm/flow-intelligence'(body) {
      const token = tokenAt(body.token_address, body.chain);
      if (token === undefined) return undefined;
      const { value } = await flows.intelligence({ token, chain: body.chain, timeframe: body.timeframe });
      if (value === null) return undefined;
      const named = {
        public_figure: value.publicFigures,
        whale: value.whales,
        smart_trader: value.smartMoney,
        exchange: value.exchanges,
        fresh_wallets: value.freshWallets,
      };
      const fields = Object.entries(named).flatMap(([name, flow]) => [
        [`${name}_net_flow_usd`, flow.netFlowUsd],
        [`${name}_avg_flow_usd`, null],
        [`${name}_wallet_count`, flow.walletCount],
      ]);
      return { data: [Object.fromEntries(fields)], warnings: [] };
    },
    async 'tgm/holders'(body) {
      const token = tokenAt(body.token_address, body.chain);
      const found = token && (await flows.holders(token));
      if (found === undefined || found.value === null) return undefined;
      const rows = found.value.holders.map((row) => ({
        address: row.address,
        address_label: row.label,
        token_amount: row.balance,
        ownership_percentage: row.pct,
        balance_change_24h: null,
      }));
      return paged(rows, body);
    },
    async 'tgm/token-information'(body) {
      const token = tokenAt(body.token_address, body.chain);
      const found = token && (await flows.holders(token));
      if (found === undefined || found.value === null) return undefined;
      return { data: { name: token?.name, spot_metrics: { total_holders: found.value.holderCount } } };
    },
  };
  return ({ path, body }) => reads[path.replace('/api/v1/', '')]?.(body);
}

const tokenAt = (address: string, chain: string) =>
  tokens.find(({ contracts }) => (contracts as Readonly<Record<string, unknown>>)[chain] === address);

function tokenQuery(body: Body) {
  const token = tokenAt(body.token_address, body.chain);
  if (token === undefined) throw new Error(`${body.token_address} is no contract on ${body.chain}`);
  return { token, chain: body.chain, fromMs: parseIsoTime(body.date.from), toMs: parseIsoTime(body.date.to) };
}

/** @param valueField the provider's name of `value_usd` */
function rowQuery(body: Body, valueField = 'value_usd'): RowQuery {
  const { [valueField]: value, ...filters } = body.filters ?? {};
  return {
    filters: { ...filters, ...(value && { value_usd: value }) },
    orderBy: (body.order_by ?? []).map((entry: Body) => ({
      ...entry,
      field: entry.field === valueField ? 'value_usd' : entry.field,
    })),
    page: body.pagination.page,
    perPage: body.pagination.per_page,
  };
}

const tokenTrade = (row: Body) => {
  const isBuy = row.action === 'BUY';
  const [own, other] = isBuy ? (['bought', 'sold'] as const) : (['sold', 'bought'] as const);
  return {
    block_timestamp: row.block_timestamp,
    transaction_hash: row.transaction_hash,
    trader_address: row.trader_address,
    trader_address_label: row.trader_address_label,
    action: row.action,
    token_address: row[`token_${own}_address`],
    token_name: row[`token_${own}_symbol`],
    token_amount: row[`token_${own}_amount`],
    traded_token_address: row[`token_${other}_address`],
    traded_token_name: row[`token_${other}_symbol`],
    traded_token_amount: row[`token_${other}_amount`],
    estimated_swap_price_usd: null,
    estimated_value_usd: row.value_usd,
  };
};

function paged(rows: readonly unknown[], body: Body) {
  const { page, per_page: perPage } = body.pagination;
  const data = rows.slice((page - 1) * perPage, page * perPage);
  return { data, pagination: { page, per_page: perPage, is_last_page: page * perPage >= rows.length } };
}

const lastPage = (data: readonly unknown[]) => ({ data, pagination: { page: 1, per_page: 1_000, is_last_page: true } });
