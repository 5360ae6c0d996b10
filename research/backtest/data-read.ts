import { joinedColumns } from '../../data/bars/index.js';
import type { StoredColumn } from '../../data/columns/index.js';
import { sha256 } from '../../data/hashes/index.js';
import { canonicalJson } from '../../engine/canonical-json.js';
import type { RunSeries } from '../window-bars.js';

/** An added column that a run read. */
export interface ColumnRead {
  readonly column: string;
  readonly content_hash: string;
  /** Periods whose first published value was used although the source gave another one later. */
  readonly revisions: number;
}

/**
 * What a run reads of a stored series: the bars, those added columns that a rule names, and the
 * funding of a perpetual. Columns that nothing reads do not change the identity of a run.
 */
export function dataRead({ contentHash, added = [] }: RunSeries, names: readonly string[]) {
  const columns = joinedColumns({ added }, names).map(columnRead);
  const hashes = columns.map(({ column, content_hash }) => [column, content_hash]);
  return { columns, contentHash: columns.length === 0 ? contentHash : sha256(canonicalJson([contentHash, hashes])) };
}

const columnRead = ({ column, contentHash, revisions }: StoredColumn): ColumnRead => ({
  column,
  content_hash: contentHash,
  revisions,
});
