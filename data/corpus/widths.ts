import { LRUCache } from 'lru-cache';
import { sqlName } from '../duckdb.js';
import { corpusSchemas } from './columns.js';
import type { Turn } from './engine.js';
import type { PartFile } from './files.js';
import { selectFromParts } from './parts-source.js';

/** The first rows of the largest files stand for the whole column. */
const SAMPLED_FILES = 8;
const SAMPLED_ROWS = 1_024;
const KEPT = 50_000;

/** The average length of the texts in result rows. Files never change, so each is measured once. */
export class TextWidths {
  /** Bytes per row, by file and column. */
  readonly #known = new LRUCache<string, number>({ max: KEPT });

  /** UTF-8 bytes per text, on average, by column; 0 where there are no rows. */
  async of(turn: Turn, files: readonly PartFile[], columns: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const sample = files.toSorted((a, b) => b.rows - a.rows).slice(0, SAMPLED_FILES);
    for (const { path } of sample) {
      const unknown = columns.filter((column) => !this.#known.has(key(path, column)));
      if (unknown.length > 0) await this.#measure(turn, path, unknown);
    }
    const rows = sample.reduce((sum, file) => sum + file.rows, 0);
    const columnBytes = (column: string): number =>
      // biome-ignore lint/style/noNonNullAssertion: the loop above measured what was missing
      sample.reduce((sum, file) => sum + file.rows * this.#known.get(key(file.path, column))!, 0);
    return new Map(columns.map((column) => [column, rows === 0 ? 0 : columnBytes(column) / rows]));
  }

  async #measure(turn: Turn, path: string, columns: readonly string[]): Promise<void> {
    const averages = columns.map((column) => `avg(coalesce(strlen(${sqlName(column)}), 0))`).join(', ');
    const texts = columns.map((name) => ({ ...corpusSchemas.results.columns.get(name), name, type: 'text' }) as const);
    const bytes = await selectFromParts(turn, [{ path }], texts, (source, builder) =>
      builder.done(`SELECT ${averages} FROM ${source([{ path }])} WHERE file_row_number < ${SAMPLED_ROWS}`),
    );
    for (const [i, column] of columns.entries()) this.#known.set(key(path, column), Number(bytes[i]?.[0] ?? 0));
  }
}

const key = (path: string, column: string): string => `${column} ${path}`;
