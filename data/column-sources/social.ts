import { EngineError } from '../../engine/errors.js';
import { DAY_MS, HOUR_MS } from '../../engine/series/index.js';
import type { SocialHistoryPort } from '../upstreams/social/index.js';
import { tokenOfAsset } from './flows.js';
import { type ColumnSource, publishedIn } from './source.js';

const columns = ['SocialSentiment', 'SocialMentions'];
const BACK_MS = 365 * DAY_MS;
/** The provider sums up an hour some minutes after its end. */
const DELAY_MS = 600_000;

/** What LunarCrush counts of posts about an asset by its name, one value each hour, a year back. */
export const lunarCrushColumns = (port: SocialHistoryPort, clock: () => number): ColumnSource => ({
  name: 'lunarcrush',
  isMetered: true,
  columnsFor: (asset) => (tokenOfAsset(asset) === undefined ? [] : columns),
  async fetch(asset, column, fromMs, toMs) {
    const nowMs = clock();
    const firstMs = Math.max(fromMs - DELAY_MS - HOUR_MS, nowMs - BACK_MS);
    const token = tokenOfAsset(asset);
    const hours =
      token === undefined || !columns.includes(column)
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
