import { settingColumnNames } from '../../rpc/index.js';
import type { Adapters } from '../route.js';
import { requireMessageFacts } from '../schemas.js';

const FILTERS = 'filters';
const listed = Object.keys(requireMessageFacts('ListResultsRequest').fields).filter((name) => name !== FILTERS);

/**
 * Rows also come as Arrow, for clients that ask for it. A listing takes any column of settings as a
 * filter; the service knows the columns, and refuses names that are none.
 */
export const corpusAdapters: Adapters = {
  'Corpus.Query': {
    stream: {
      contentType: 'application/vnd.apache.arrow.stream',
      open: (rpc, request, options) => rpc.stream('Corpus.QueryColumns', request, options),
      bytesIn: 'arrow',
      headers: {
        row_count: 'X-Row-Count',
        total_bytes_billed: 'X-Total-Bytes-Billed',
        cost_estimate_usd: 'X-Cost-Estimate-Usd',
        next_page_token: 'X-Next-Page-Token',
      },
    },
  },
  'Corpus.ListResults': {
    takesAnyKey: true,
    queryBeside: Object.fromEntries(
      settingColumnNames.map((name) => [name, { type: 'string', description: 'value of the setting' }]),
    ),
    toRequest({ query }) {
      const entries = Object.entries(query);
      const named = entries.filter(([name]) => listed.includes(name));
      const filters = Object.fromEntries(entries.filter(([name]) => !listed.includes(name)));
      return { ...Object.fromEntries(named), filters };
    },
  },
};
