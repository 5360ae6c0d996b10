import { open } from 'node:fs/promises';
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
  const file = await open(path, 'w');
  try {
    for (let left = encodePart(rows); left.length > 0; ) {
      const { bytesWritten } = await file.writev(left);
      left = after(left, bytesWritten); // a full disk takes some of them, and is an error the next time
    }
  } finally {
    await file.close();
  }
}

/** What is left of pieces after their first bytes. */
function after(pieces: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let skipped = bytes;
  return pieces.flatMap((piece) => {
    const rest = piece.subarray(Math.min(skipped, piece.length));
    skipped -= piece.length - rest.length;
    return rest.length === 0 ? [] : [rest];
  });
}

function encodePart({ columns, shared, order, dates }: PartRows): Uint8Array[] {
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

const MAGIC = Buffer.from('PAR1');

/** The file in pieces, since a copy of all cells would take as long as their making. */
class Pieces {
  readonly all: Uint8Array[] = [];
  length = 0;

  add(...pieces: readonly Uint8Array[]): void {
    for (const piece of pieces) this.length += piece.length;
    this.all.push(...pieces);
  }

  /** Adds what a function of the library writes. */
  write(by: (writer: ByteWriter) => void): void {
    const writer = new ByteWriter();
    by(writer);
    this.add(writer.getBytes());
  }
}

function file(columns: readonly StoredColumn[], rowCount: number): Uint8Array[] {
  const pieces = new Pieces();
  pieces.add(MAGIC);
  const chunks = columns.map((column) => addColumn(pieces, column, rowCount));
  const size = BigInt(pieces.length);
  pieces.write((writer) =>
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
    }),
  );
  pieces.add(MAGIC);
  return pieces.all;
}

/** Adds a column as one page, after the page of its dictionary. */
function addColumn(pieces: Pieces, { name, type, cells }: StoredColumn, rowCount: number): ColumnChunk {
  const { dictionary, levels, values, missing } = cells;
  const start = pieces.length;
  if (dictionary !== null) {
    const { length } = dictionary.bytes;
    pieces.write((writer) =>
      writePageHeader(writer, {
        type: 'DICTIONARY_PAGE',
        uncompressed_page_size: length,
        compressed_page_size: length,
        dictionary_page_header: { num_values: dictionary.count, encoding: 'PLAIN' },
      }),
    );
    pieces.add(dictionary.bytes);
  }
  const pageStart = pieces.length;
  const encoding: Encoding = dictionary === null ? 'PLAIN' : 'RLE_DICTIONARY';
  const length = levels.length + values.length;
  pieces.write((writer) =>
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
    }),
  );
  pieces.add(levels, values);
  const size = BigInt(pieces.length - start);
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
