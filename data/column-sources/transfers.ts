import { HOUR_MS } from '../../engine/series/index.js';
import { netIntoExchanges, WHALE_HISTORY_MS, WHALE_USD_MIN, type WhalesPort } from '../upstreams/whales/index.js';
import { tokenOfAsset } from './flows.js';
import { type ColumnSource, publishedIn } from './source.js';

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
