import { invalidField } from '../signals/fields.js';
import { keywordRing } from '../signals/keywords.js';
import { SEARCH_QUERY_CHARACTERS_MAX } from '../signals/list-signals.js';
import { signalRecord, signalsByName } from '../signals/records.js';

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
export function listCatalogueSignals({ type, search = '' }: SignalsRequest) {
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
