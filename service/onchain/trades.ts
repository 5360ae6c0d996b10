import { type FlowsPort, flowLabels, perpActions } from '../../data/upstreams/flows/index.js';
import { notFound } from '../api-error.js';
import { provenanceFields, shownSpanOrNull } from '../provenance.js';
import { readChoice } from '../read-fields.js';
import {
  aFlag,
  anAmount,
  aRange,
  aTextOrTexts,
  invalid,
  labels,
  oneOf,
  type RowsRequest,
  readChains,
  readDateRange,
  readRows,
  readToken,
  requireChain,
} from './fields.js';

interface ChainsRequest extends RowsRequest {
  readonly chains?: unknown;
}

interface DatedChainsRequest extends ChainsRequest {
  readonly date_range?: unknown;
}

interface TokenRequest extends RowsRequest {
  readonly symbol?: string;
  readonly chain?: string;
  readonly date_range?: unknown;
}

interface TokenFlowsRequest extends TokenRequest {
  readonly label?: string;
}

const RANGE_DAYS = 7;
/** Smart money's trades in perpetuals are known of one venue. */
const PERP_VENUE = 'hyperliquid';

const labelFilters = { include_smart_money_labels: labels, exclude_smart_money_labels: labels };
const holdingRules = {
  filters: { ...labelFilters, value_usd: aRange, holders_count: aRange, token_symbol: aTextOrTexts },
};
const dexRules = {
  filters: { ...labelFilters, side: oneOf('buy', 'sell'), min_amount_usd: anAmount, value_usd: aRange },
};
const perpRules = {
  filters: {
    ...labelFilters,
    side: oneOf('Long', 'Short'),
    token_symbol: aTextOrTexts,
    value_usd: aRange,
    only_new_positions: aFlag,
    action: oneOf(...perpActions),
    type: oneOf('Market', 'Limit'),
  },
  orderFields: ['block_timestamp', 'token_amount', 'price_usd', 'value_usd'],
};
const tokenDexRules = {
  filters: { ...labelFilters, action: oneOf('BUY', 'SELL'), min_amount_usd: anAmount, value_usd: aRange },
};
const flowRules = {
  filters: {
    price_usd: aRange,
    token_amount: aRange,
    value_usd: aRange,
    holders_count: aRange,
    total_inflows_count: aRange,
    total_outflows_count: aRange,
  },
};

/** Lists of holdings, trades and flows, filtered, in order and page by page. */
export class ChainLists {
  constructor(private readonly flows: FlowsPort) {}

  /** @throws ApiError INVALID_FIELD; UpstreamFault */
  async historicalHoldings(request: DatedChainsRequest) {
    const chains = readChains(request.chains);
    const rows = readRows(request, holdingRules);
    const range = readDateRange(request.date_range, await this.flows.nowMs(null), RANGE_DAYS);
    const found = await this.flows.historicalHoldings({ chains, ...range.window, ...rows.query });
    return {
      chains,
      date_range: range.shown,
      ...rows.shown,
      count: found.value.length,
      holdings: found.value,
      held: shownSpanOrNull(await this.flows.held(null)),
      ...provenanceFields(found),
    };
  }

  /** Of the last 24 hours. @throws ApiError INVALID_FIELD; UpstreamFault */
  async dexTrades(request: ChainsRequest) {
    const chains = readChains(request.chains);
    const rows = readRows(request, dexRules);
    const found = await this.flows.dexTrades({ chains, ...rows.query });
    return { chains, ...rows.shown, count: found.value.length, trades: found.value, ...provenanceFields(found) };
  }

  /** Of the last 24 hours. @throws ApiError INVALID_FIELD; UpstreamFault */
  async perpTrades(request: ChainsRequest) {
    if (request.chains !== undefined) {
      throw invalid('chains', `absent, because all trades are of ${PERP_VENUE}`, request.chains);
    }
    const rows = readRows(request, perpRules);
    const found = await this.flows.perpTrades(rows.query);
    return {
      venue: PERP_VENUE,
      ...rows.shown,
      count: found.value.length,
      trades: found.value,
      ...provenanceFields(found),
    };
  }

  /** @throws ApiError INVALID_FIELD, RESOURCE_NOT_FOUND; UpstreamFault */
  async tokenDexTrades(request: TokenRequest) {
    const { query, shown, held } = await this.#tokenQuery(request, tokenDexRules);
    const found = await this.flows.tokenDexTrades(query);
    if (found.value === null) throw notFound('token', shown.symbol);
    return { ...shown, count: found.value.length, trades: found.value, held, ...provenanceFields(found) };
  }

  /** @throws ApiError INVALID_FIELD, RESOURCE_NOT_FOUND also for a stablecoin; UpstreamFault */
  async tokenFlows(request: TokenFlowsRequest) {
    const { token, symbol } = readToken(request.symbol);
    if (token.isStablecoin) throw notFound('flows of the stablecoin', symbol);
    const label = request.label === undefined ? null : readChoice('label', request.label, flowLabels);
    const { query, shown, held } = await this.#tokenQuery(request, flowRules);
    const found = await this.flows.tokenFlows({ ...query, label });
    if (found.value === null) throw notFound('token', symbol);
    return { ...shown, label, count: found.value.length, flows: found.value, held, ...provenanceFields(found) };
  }

  async #tokenQuery(request: TokenRequest, rules: Parameters<typeof readRows>[1]) {
    const { token, symbol } = readToken(request.symbol);
    const chain = requireChain(token, request.chain);
    const rows = readRows(request, rules);
    const range = readDateRange(request.date_range, await this.flows.nowMs(token), RANGE_DAYS);
    return {
      query: { token, chain, ...range.window, ...rows.query },
      shown: {
        symbol,
        chain,
        contract_address: token.contracts[chain] ?? '',
        date_range: range.shown,
        ...rows.shown,
      },
      held: shownSpanOrNull(await this.flows.held(token)),
    };
  }
}
