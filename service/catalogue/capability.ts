import type { BarStore } from '../../data/bars/index.js';
import { apiTimeframeMs } from '../../engine/strategy/index.js';
import { heldDataset } from '../../research/sweep/index.js';
import type { Capability, Foundation } from '../capability.js';
import { batchDefaults } from '../config/trading-defaults.js';
import { SEARCH_QUERY_CHARACTERS_MAX } from '../signals/list-signals.js';
import { invalidField, signalRecord, signalsByName } from '../signals/records.js';
import { keywordRing } from '../signals/signal-index.js';
import { listTemplates } from './templates.js';

/** What the batch engine offers to choose from. */
export const openCatalogue = ({ bars }: Foundation): Capability<'Catalogue'> => ({
  methods: {
    'Catalogue.ListDatasets': async () => ({ datasets: await listDatasets(bars) }),
    'Catalogue.ListSignals': async (request) => ({ signals: listCatalogueSignals(request) }),
    'Catalogue.ListTemplates': async () => ({ templates: listTemplates() }),
    'Catalogue.GetExecutionDefaults': async () => ({ defaults: batchDefaults() }),
  },
});

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

interface SignalsRequest {
  /** TRIGGER or FILTER. */
  readonly type?: string | undefined;
  /**
   * Words that must all be among a signal's keywords, as in a keyword search. A blank text matches
   * every signal.
   */
  readonly search?: string | undefined;
}

/**
 * Signals for experiments, by name. A missing bound or default is null, so that every parameter has
 * the same keys.
 * @throws VALIDATION_ERROR
 */
function listCatalogueSignals({ type, search = '' }: SignalsRequest) {
  if (type !== undefined && type !== 'TRIGGER' && type !== 'FILTER') {
    throw invalidField('type', 'TRIGGER or FILTER', type);
  }
  const words = search.trim().toLowerCase();
  if (words.length > SEARCH_QUERY_CHARACTERS_MAX) {
    throw invalidField('search', `at most ${SEARCH_QUERY_CHARACTERS_MAX} characters`, `${words.length} characters`);
  }
  return signalsByName
    .filter((signal) => (type === undefined || signal.type === type) && keywordRing(signal, words) >= 0)
    .map((signal) => {
      const { params } = signalRecord(signal).metadata;
      return {
        name: signal.name,
        type: signal.type,
        category: signal.category,
        description: signal.description,
        requires: [...signal.requires],
        params: Object.fromEntries(
          Object.entries(params).map(([name, spec]) => [name, { min: null, max: null, default: null, ...spec }]),
        ),
        constraints: signal.constraints.map((constraint) => [...constraint]),
      };
    });
}
