import type { BarStore } from '../../data/bars/index.js';
import { apiTimeframeMs } from '../../engine/strategy/index.js';
import { heldDataset } from '../../research/sweep/index.js';

/** A series that experiments and simulations can run on, as they name it. */
interface DatasetRecord {
  readonly asset: string;
  /** `1h` */
  readonly timeframe: string;
  /** A new name means new bars. */
  readonly file: string;
  /** `sha256:` and hex digits, over the canonical bytes of the columns. */
  readonly hash: string;
  readonly rows: number;
  /** Days of the first open and the last close, `2024-01-31`. */
  readonly start_date: string;
  readonly end_date: string;
}

/**
 * Held series in the timeframes of the API, sorted by asset, timeframe and start. Series that would
 * only be aggregated from others are not listed.
 */
export async function listDatasets(bars: Pick<BarStore, 'list'>): Promise<DatasetRecord[]> {
  const held = (await bars.list()).filter(({ intervalMs }) => apiTimeframeMs.has(intervalMs));
  return held.map(heldDataset).map(withoutColumns).sort(bySortKey);
}

const withoutColumns = ({
  columns: _,
  added: __,
  generated: ___,
  ...record
}: ReturnType<typeof heldDataset>): DatasetRecord => record;

const sortKey = ({ asset, timeframe, start_date }: DatasetRecord) => `${asset}\n${timeframe}\n${start_date}`;
const bySortKey = (a: DatasetRecord, b: DatasetRecord) => (sortKey(a) < sortKey(b) ? -1 : 1);
