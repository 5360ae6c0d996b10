import { normaliseAsset } from '../data/bars/index.js';
import type { ColumnSource, OpenSources } from '../data/column-sources/index.js';
import type { AddedColumn, ColumnStore, StoredColumn } from '../data/columns/index.js';
import { UpstreamFault } from '../data/upstreams/index.js';
import { EngineError, quote } from '../engine/errors.js';
import { DAY_MS } from '../engine/series/index.js';

interface WantedColumns {
  readonly asset: string;
  readonly columns: readonly string[];
  /** Name of a source; by default the first one that has the column. */
  readonly source?: string | undefined;
  /** Values published at or after this time; by default all that are not held. */
  readonly fromMs?: number | undefined;
  /** Values published before this time; by default all. */
  readonly toMs?: number | undefined;
  /** Store these values instead of those held. */
  readonly replace?: boolean | undefined;
}

interface FillServices {
  readonly columns: Pick<ColumnStore, 'add' | 'list'>;
  readonly sources: OpenSources;
}

/** A metered source is asked again for values this long before the newest: revisions count. */
const REVISED_WITHIN_MS = DAY_MS;

/**
 * Fetches columns of an asset from their sources and adds them to those held.
 * @throws NOT_FOUND naming the columns of each source, before anything is fetched; CONFLICT for a
 *   column that is held from another source; INVALID_DATA if the source fails
 */
export async function fillColumns(
  { asset, columns, source, fromMs, toMs = Infinity, replace = false }: WantedColumns,
  { columns: store, sources }: FillServices,
): Promise<AddedColumn[]> {
  const name = normaliseAsset(asset);
  const all = await store.list();
  const wanted = columns.map((column) => {
    const from = findSource(name, column, sources, source);
    const held = replace ? undefined : all.find((one) => one.asset === name && one.column === column);
    if (held !== undefined && held.origin.source !== from.name) throw otherSource(held, from);
    return { column, from, held };
  });
  const added: AddedColumn[] = [];
  for (const { column, from, held } of wanted) {
    const newMs =
      held === undefined || from.isMetered !== true ? -Infinity : Date.parse(held.lastTime) - REVISED_WITHIN_MS;
    const rows = await from.fetch(name, column, fromMs ?? newMs, toMs).catch(refuseFault);
    added.push(await store.add({ asset: name, column, rows, source: from.name, licence: from.licence, replace }));
  }
  return added;
}

function findSource(asset: string, column: string, sources: OpenSources, wanted: string | undefined): ColumnSource {
  if (wanted !== undefined && !sources.has(wanted)) {
    const message = `no source ${quote(wanted)} of columns (${[...sources.keys()].join(', ')})`;
    throw new EngineError('NOT_FOUND', message, { source: wanted });
  }
  const asked = [...sources].filter(([name]) => wanted === undefined || name === wanted);
  const usable = asked.filter(([, one]) => wanted !== undefined || one?.isOnRequest !== true);
  const found = usable.find(([, one]) => one?.columnsFor(asset).includes(column))?.[1];
  if (found) return found;
  const known = asked.map(([name, one]) => {
    if (one === null) return `${name}: off`;
    const has = one.columnsFor(asset).join(', ') || 'none';
    return one.isOnRequest === true && wanted === undefined ? `${name}, if named: ${has}` : `${name}: ${has}`;
  });
  const message = `no source has ${quote(column)} of ${asset} (${known.join('; ')})`;
  throw new EngineError('NOT_FOUND', message, { asset, column });
}

function otherSource({ asset, column, origin }: StoredColumn, { name }: ColumnSource): EngineError {
  const message = `${column} of ${asset} is held from ${origin.source}, not from ${name}; --replace stores that instead`;
  return new EngineError('CONFLICT', message, { asset, column });
}

function refuseFault(error: unknown): never {
  if (error instanceof UpstreamFault) throw new EngineError('INVALID_DATA', error.message, { source: error.provider });
  throw error;
}
