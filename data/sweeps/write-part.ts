import { writeFile } from 'node:fs/promises';
import type { ColumnChunk, Encoding, SchemaElement } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer/src/bytewriter.js';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import { type BytesColumn, checkedRowCount, type SharedColumns, type TableColumn } from '../tables/table.js';
import { dictionaryCells, type EncodedCells, plainCells, type StoredType } from './part-cells.js';

/** Rows as columns of their own and columns that many rows share; `order` names all columns. */
export interface PartRows {
  readonly columns: readonly (TableColumn | BytesColumn)[];
  readonly shared: SharedColumns;
  readonly order: readonly string[];
  /** Shared strings such as 2024-01-31 that are written as dates. */
  readonly dates: readonly string[];
}

/** The schema element of each type, which DuckDB reads as its own type. */
const elements: Readonly<Record<StoredType, Pick<SchemaElement, 'converted_type' | 'logical_type'> & Typed>> = {
  double: { type: 'DOUBLE' },
  integer: { type: 'INT64' },
  /** Milliseconds, not adjusted to UTC, which is by convention. */
  time: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MILLIS' } },
  date: { type: 'INT32', converted_type: 'DATE' },
  boolean: { type: 'BOOLEAN' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  bytes: { type: 'BYTE_ARRAY' },
};

interface Typed {
  readonly type: NonNullable<SchemaElement['type']>;
}

/** A column as the file stores it. */
interface StoredColumn {
  readonly name: string;
  readonly type: StoredType;
  readonly cells: EncodedCells;
}

/**
 * Writes rows to a Parquet file as one row group, uncompressed and without statistics. Such a file
 * is written often, read seldom and soon joined with others.
 *
 * The library writes the headers of pages and the metadata. This file writes the cells: the library
 * reads each cell several times, which would take a quarter of the time of a sweep. A part knows
 * which columns its rows share, so most columns cost nothing per row.
 */
export async function writePartFile(path: string, rows: PartRows): Promise<void> {
  await writeFile(path, encodePart(rows));
}

function encodePart({ columns, shared, order, dates }: PartRows): Uint8Array {
  const rowCount = checkedRowCount(columns);
  const stored = new Map<string, StoredColumn>();
  for (const column of columns) {
    const cells = column.type === 'text' ? ownTexts(column.values) : plainCells(column.type, column.values);
    stored.set(column.name, { ...column, cells });
  }
  for (const { name, type, values } of shared.columns) {
    const as = dates.includes(name) ? 'date' : type;
    stored.set(name, { name, type: as, cells: dictionaryCells(as, values, shared.rowOf) });
  }
  // biome-ignore lint/style/noNonNullAssertion: the order lists names of the columns
  const inOrder = order.map((name) => stored.get(name)!);
  return file(inOrder, rowCount);
}

/** Texts of rows of their own, which neighbours often share. */
function ownTexts(values: readonly (string | null)[]): EncodedCells {
  const places = new Map<string | null, number>();
  const placeOf = new Int32Array(values.length);
  for (let row = 0; row < values.length; row++) {
    // biome-ignore lint/style/noNonNullAssertion: row is an index of the values
    const text = values[row]!;
    let place = places.get(text);
    if (place === undefined) {
      place = places.size;
      // A dictionary would not pay.
      if (place * 2 > values.length) return plainCells('text', values);
      places.set(text, place);
    }
    placeOf[row] = place;
  }
  return dictionaryCells('text', [...places.keys()], placeOf);
}

const MAGIC = 0x31524150; // PAR1
/** Most bytes of the headers of a column and of its share of the metadata. */
const FRAME_BYTES = 512;

function file(columns: readonly StoredColumn[], rowCount: number): Uint8Array {
  const bytes = columns.reduce((sum, { cells }) => sum + cells.byteCount, 0);
  // A writer with room for all cells need not grow.
  const writer = new ByteWriter(bytes + FRAME_BYTES * (columns.length + 1));
  writer.appendUint32(MAGIC);
  const chunks = columns.map((column) => writeColumn(writer, column, rowCount));
  const size = BigInt(writer.offset);
  writeMetadata(writer, {
    version: 2,
    created_by: 'barline',
    schema: [
      { name: 'rows', num_children: columns.length },
      ...columns.map(({ name, type }) => ({ ...elements[type], name, repetition_type: 'OPTIONAL' as const })),
    ],
    num_rows: BigInt(rowCount),
    row_groups: [{ columns: chunks, total_byte_size: size, num_rows: BigInt(rowCount) }],
    metadata_length: 0, // the writer counts it
  });
  writer.appendUint32(MAGIC);
  return writer.getBytes();
}

/** Writes a column as one page, after the page of its dictionary. */
function writeColumn(writer: ByteWriter, { name, type, cells }: StoredColumn, rowCount: number): ColumnChunk {
  const { dictionary, levels, values, missing } = cells;
  const start = writer.offset;
  if (dictionary !== null) {
    const { length } = dictionary.bytes;
    writePageHeader(writer, {
      type: 'DICTIONARY_PAGE',
      uncompressed_page_size: length,
      compressed_page_size: length,
      dictionary_page_header: { num_values: dictionary.count, encoding: 'PLAIN' },
    });
    writer.appendBytes(dictionary.bytes);
  }
  const pageStart = writer.offset;
  const encoding: Encoding = dictionary === null ? 'PLAIN' : 'RLE_DICTIONARY';
  const length = levels.length + values.length;
  writePageHeader(writer, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: length,
    compressed_page_size: length,
    data_page_header_v2: {
      num_values: rowCount,
      num_nulls: missing,
      num_rows: rowCount,
      encoding,
      definition_levels_byte_length: levels.length,
      repetition_levels_byte_length: 0,
      is_compressed: false,
    },
  });
  writer.appendBytes(levels);
  writer.appendBytes(values);
  const size = BigInt(writer.offset - start);
  return {
    file_offset: BigInt(start),
    meta_data: {
      type: elements[type].type,
      encodings: dictionary === null ? [encoding] : ['PLAIN', encoding],
      path_in_schema: [name],
      codec: 'UNCOMPRESSED',
      num_values: BigInt(rowCount),
      total_compressed_size: size,
      total_uncompressed_size: size,
      data_page_offset: BigInt(pageStart),
      ...(dictionary === null ? {} : { dictionary_page_offset: BigInt(start) }),
    },
  };
}
