import { normaliseAsset } from '../data/bars/index.js';
import { type AddedColumn, type ColumnSource, type ColumnStore, columnSources } from '../data/columns/index.js';
import { EngineError, quote } from '../engine/index.js';

interface WantedColumns {
  readonly asset: string;
  readonly columns: readonly string[];
  /** Name of a source; by default the first one that has the column. */
  readonly source?: string | undefined;
  /** Values published at or after this time; by default all. */
  readonly fromMs?: number | undefined;
  /** Values published before this time; by default all. */
  readonly toMs?: number | undefined;
}

interface FillServices {
  readonly columns: Pick<ColumnStore, 'add'>;
  /** The bundled data. */
  readonly sampleDir: string;
}

/**
 * Fetches columns of an asset from their sources and adds them to those held.
 * @throws NOT_FOUND naming the columns of each source, before anything is fetched
 */
export async function fillColumns(
  { asset, columns, source, fromMs = -Infinity, toMs = Infinity }: WantedColumns,
  { columns: store, sampleDir }: FillServices,
): Promise<AddedColumn[]> {
  const name = normaliseAsset(asset);
  const opened = Object.entries(columnSources).filter(([known]) => source === undefined || known === source);
  const sources = opened.map(([, open]) => open({ sampleDir }));
  const found = columns.map((column) => ({ column, from: sourceOf(name, column, sources) }));
  const added: AddedColumn[] = [];
  for (const { column, from } of found) {
    const rows = await from.fetch(name, column, fromMs, toMs);
    added.push(await store.add({ asset: name, column, rows, source: from.name, licence: from.licence }));
  }
  return added;
}

function sourceOf(asset: string, column: string, sources: readonly ColumnSource[]): ColumnSource {
  const source = sources.find((one) => one.columnsOf(asset).includes(column));
  if (source !== undefined) return source;
  const known = sources.map((one) => `${one.name}: ${one.columnsOf(asset).join(', ') || 'none'}`).join('; ');
  throw new EngineError('NOT_FOUND', `no source has ${quote(column)} of ${asset} (${known})`, { asset, column });
}
