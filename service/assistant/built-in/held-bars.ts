import { apiTimeframes } from '../../../engine/index.js';
import type { Collected } from '../mind.js';
import type { AssistantTools } from '../tools.js';
import { usual } from './propose.js';

/** Where a conversation trades. */
type Place = Pick<Collected, 'asset' | 'portfolio' | 'timeframe'>;
type Tools = Pick<AssistantTools, 'whyNoBars' | 'columnsBeside'>;

const assetsOf = ({ asset, portfolio }: Pick<Collected, 'asset' | 'portfolio'>): readonly string[] =>
  portfolio.length > 0 ? portfolio : [asset ?? usual.asset];

/** An asset that has no bars, and why. */
export interface NoBars {
  readonly asset: string;
  readonly reason: string;
}

/** The first of the assets that cannot run; null where all can. */
export async function noBarsOf({ timeframe, ...assets }: Place, tools: Tools): Promise<NoBars | null> {
  for (const each of assetsOf(assets)) {
    const reason = await tools.whyNoBars(each, timeframe ?? usual.timeframe);
    if (reason !== null) return { asset: each, reason };
  }
  return null;
}

/** The usual timeframe, or where an asset has no such bars the finest one that all have. */
export async function usualTimeframe(place: Place, tools: Tools): Promise<string> {
  for (const timeframe of [usual.timeframe, ...apiTimeframes]) {
    if ((await noBarsOf({ ...place, timeframe }, tools)) === null) return timeframe;
  }
  return usual.timeframe;
}

/** The columns beside the bars that every asset has. */
export async function columnsOf({ timeframe, ...assets }: Place, tools: Tools): Promise<readonly string[]> {
  const all = await Promise.all(
    assetsOf(assets).map((each) => tools.columnsBeside(each, timeframe ?? usual.timeframe)),
  );
  return (all[0] ?? []).filter((column) => all.every((columns) => columns.includes(column)));
}
