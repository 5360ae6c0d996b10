import { EngineError } from '../../engine/errors.js';
import { DAY_MS, HOUR_MS } from '../../engine/series/index.js';
import type { BalanceGroup, FlowsPort } from '../upstreams/flows/index.js';
import { type Chain, type Token, tokenChains, tokens } from '../upstreams/index.js';
import type { SocialHistoryPort } from '../upstreams/social/index.js';
import { netIntoExchanges, WHALE_HISTORY_MS, WHALE_USD_MIN, type WhalesPort } from '../upstreams/whales/index.js';
import { type ColumnSource, type PublishedValue, publishedIn } from './source.js';

interface FlowColumnsOptions extends Pick<ColumnSource, 'name' | 'licence' | 'isOnRequest' | 'isMetered'> {
  readonly port: FlowsPort;
  /** Time from the end of an hour until its figures are known. */
  readonly delayMs: number;
  /** How far back the port answers. */
  readonly backMs: number;
  /** False if the port knows the holders of today only: such a value is known from now on. */
  readonly knowsPastHolders: boolean;
  /** The chain of a token whose figures count; undefined if there is none. */
  readonly countedChain: (token: Token) => Chain | undefined;
}

const groups: Readonly<Record<string, BalanceGroup>> = {
  SmartMoneyNetflow: 'smart_money',
  SmartMoneyHoldings: 'smart_money',
  ExchangeNetflow: 'exchange',
  WhaleNetInflow: 'whale',
};
const columns = [...Object.keys(groups), 'HolderConcentration'];

/** Holders whose share is the concentration, as `/on-chain/series` has it by default. */
const TOP_HOLDERS = 10;
/** A provider shows the figures of an hour some minutes after its end. */
const PROVIDER_DELAY_MS = 600_000;

/** The token that is this asset, no wrapped one; stablecoins have no flows. */
export const tokenOfAsset = (asset: string): Token | undefined =>
  tokens.find(({ ticker, isStablecoin }) => ticker === asset && !isStablecoin);

/** Figures of wallets, one each hour, in USD; the concentration of holders as a share. */
function flowColumns({ port, delayMs, backMs, knowsPastHolders, countedChain, ...source }: FlowColumnsOptions) {
  const read = async (token: Token, column: string, window: { readonly fromMs: number; readonly toMs: number }) => {
    const chain = countedChain(token);
    const group = groups[column];
    if (chain === undefined) return null;
    const query = { token, chain, ...window };
    if (group === undefined) {
      const { value } = await port.concentration({ ...query, topN: TOP_HOLDERS });
      return value?.map(({ timeMs, share }) => ({ timeMs, value: share })) ?? null;
    }
    const { value } = await port.balances({ ...query, group });
    const isLevel = column === 'SmartMoneyHoldings';
    return value?.map(({ timeMs, valueUsd, netUsd }) => ({ timeMs, value: isLevel ? valueUsd : netUsd })) ?? null;
  };
  return {
    ...source,
    columnsFor: (asset: string) => {
      const token = tokenOfAsset(asset);
      return token === undefined || countedChain(token) === undefined ? [] : columns;
    },
    async fetch(asset: string, column: string, fromMs: number, toMs: number) {
      const token = tokenOfAsset(asset);
      const nowMs = token === undefined ? Number.NaN : await port.nowMs(token);
      const window = { fromMs: Math.max(fromMs - delayMs - HOUR_MS, nowMs - backMs), toMs: Math.min(toMs, nowMs) };
      const hours = token === undefined ? null : await read(token, column, window);
      if (hours === null) throw new EngineError('NOT_FOUND', `${source.name} has no ${column} of ${asset}`);
      const isNow = column === 'HolderConcentration' && !knowsPastHolders;
      const values = hours.map(
        ({ timeMs, value }): PublishedValue => ({
          periodMs: timeMs,
          publishedMs: isNow ? nowMs : timeMs + HOUR_MS + delayMs,
          value,
        }),
      );
      return publishedIn(values, fromMs, Math.min(toMs, nowMs + 1));
    },
  } satisfies ColumnSource;
}

/** Nansen: the contract of a token on its first chain that has one, up to a year back. */
export const nansenColumns = (port: FlowsPort): ColumnSource =>
  flowColumns({
    name: 'nansen',
    isMetered: true,
    port,
    delayMs: PROVIDER_DELAY_MS,
    backMs: 365 * DAY_MS,
    knowsPastHolders: false,
    countedChain: (token) => tokenChains(token).find((chain) => typeof token.contracts[chain] === 'string'),
  });

/** The generated books of the first chain of a token, as far back as its bars. */
export const generatedColumns = (name: string, port: FlowsPort): ColumnSource =>
  flowColumns({
    name,
    licence: 'none: drawn from a seed',
    isOnRequest: true,
    port,
    delayMs: 0,
    backMs: Infinity,
    knowsPastHolders: true,
    countedChain: (token) => tokenChains(token)[0],
  });

/** Sign of a net flow into exchanges in each column. */
const signs: Readonly<Record<string, 1 | -1>> = { ExchangeNetflow: 1, WhaleNetInflow: -1 };

/** The provider shows a transfer some minutes after its block. */
const DELAY_MS = 600_000;

/** Sums of the transfers of whales to and from exchanges, one each hour, in USD, 30 days back. */
export const whaleAlertColumns = (port: WhalesPort): ColumnSource => ({
  name: 'whale-alert',
  isMetered: true,
  columnsFor: (asset) => (tokenOfAsset(asset) === undefined ? [] : Object.keys(signs)),
  async fetch(asset, column, fromMs, toMs) {
    const token = tokenOfAsset(asset);
    const sign = signs[column];
    if (token === undefined || sign === undefined) throw new Error(`no ${column} of ${asset} from transfers`);
    const nowMs = await port.nowMs(token);
    const hoursBack = Math.ceil((nowMs - fromMs + DELAY_MS) / HOUR_MS) + 1;
    // The window has whole hours, so that kept answers serve.
    const backMs = Math.min(WHALE_HISTORY_MS, hoursBack * HOUR_MS);
    const { value } = await port.transfers({ token, usdMin: WHALE_USD_MIN, backMs });
    const net = netIntoExchanges(value, { fromMs: nowMs - backMs, toMs: nowMs });
    const values = [...net].map(([hour, usd]) => ({
      periodMs: hour,
      publishedMs: hour + HOUR_MS + DELAY_MS,
      value: sign * usd,
    }));
    return publishedIn(values, fromMs, Math.min(toMs, nowMs + 1));
  },
});

const socialColumns = ['SocialSentiment', 'SocialMentions'];

const BACK_MS = 365 * DAY_MS;

/** What LunarCrush counts of posts about an asset by its name, one value each hour, a year back. */
export const lunarCrushColumns = (port: SocialHistoryPort, clock: () => number): ColumnSource => ({
  name: 'lunarcrush',
  isMetered: true,
  columnsFor: (asset) => (tokenOfAsset(asset) === undefined ? [] : socialColumns),
  async fetch(asset, column, fromMs, toMs) {
    const nowMs = clock();
    const firstMs = Math.max(fromMs - DELAY_MS - HOUR_MS, nowMs - BACK_MS);
    const token = tokenOfAsset(asset);
    const hours =
      token === undefined || !socialColumns.includes(column)
        ? null
        : (await port.history(token.name, firstMs, Math.min(toMs, nowMs))).value;
    if (hours === null) throw new EngineError('NOT_FOUND', `lunarcrush has no ${column} of ${asset}`);
    const values = hours.flatMap(({ timeMs, score, mentions }) => {
      const value = column === 'SocialSentiment' ? score : mentions;
      return value === null ? [] : { periodMs: timeMs, publishedMs: timeMs + HOUR_MS + DELAY_MS, value };
    });
    return publishedIn(values, fromMs, Math.min(toMs, nowMs + 1));
  },
});
