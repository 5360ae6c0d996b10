import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { EngineError } from '../../engine/errors.js';
import { oneLine } from '../one-line.js';

/** What a first pass learned about a file of separated cells: its size and how to read it. */
interface TextTable {
  readonly path: string;
  /** How messages name the file. */
  readonly name: string;
  /** An upper bound on the number of records. */
  readonly lineCount: number;
  readonly delimiter: string;
  /** Whether any cell is quoted, so that lines need a parser. */
  readonly isQuoted: boolean;
}

const LINE_LENGTH_MAX = 100_000;
const LINE_COUNT_MAX = 50_000_000;
const CHUNK_BYTES = 1 << 20;
const NEWLINE = 10;
const QUOTE = 34;

/**
 * One pass over the bytes: counts the lines, so that columns are allocated once, and looks for
 * quotes and binary data.
 */
export async function surveyText(path: string, name: string): Promise<TextTable> {
  let newlines = 0;
  let offset = 0;
  let isQuoted = false;
  let firstLine: string | null = null;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    // biome-ignore lint/style/noNonNullAssertion: split returns at least one part
    firstLine ??= chunk.subarray(0, LINE_LENGTH_MAX).toString('utf8').split('\n', 1)[0]!;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i];
      if (byte === NEWLINE) newlines++;
      else if (byte === QUOTE) isQuoted = true;
      else if (byte === 0) throw invalid(`${name} is not text: byte ${offset + i} is zero`);
    }
    offset += chunk.length;
  }
  if (firstLine === null) throw invalid(`${name} is empty`);
  if (newlines >= LINE_COUNT_MAX) throw invalid(`${name} must have at most ${LINE_COUNT_MAX} lines, has ${newlines}`);
  return { path, name, lineCount: newlines + 1, delimiter: delimiterOf(firstLine), isQuoted };
}

/**
 * The separator that the first line uses most. A tie goes to the semicolon: beside it a comma is a
 * decimal point.
 */
function delimiterOf(line: string): string {
  const counts = [';', '\t', ','].map((delimiter) => ({ delimiter, count: line.split(delimiter).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).delimiter;
}

/**
 * Calls `onRecord` with the cells and the line number of every record, blank ones included. A file
 * without quotes, such as an exchange dump, is split line by line, eight times faster than by a
 * parser.
 */
export async function forEachRecord(
  table: TextTable,
  onRecord: (cells: readonly string[], line: number) => void,
): Promise<void> {
  return table.isQuoted ? parseRecords(table, onRecord) : splitRecords(table, onRecord);
}

type OnRecord = Parameters<typeof forEachRecord>[1];

async function splitRecords({ path, name, delimiter }: TextTable, onRecord: OnRecord): Promise<void> {
  let line = 0;
  let rest = '';
  const take = (text: string) => {
    line++;
    if (line === 1 && text.startsWith('\uFEFF')) text = text.slice(1);
    onRecord((text.endsWith('\r') ? text.slice(0, -1) : text).split(delimiter), line);
  };
  const options = { encoding: 'utf8', highWaterMark: CHUNK_BYTES } as const;
  for await (const chunk of createReadStream(path, options) as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    // biome-ignore lint/style/noNonNullAssertion: split returns at least one part
    rest = lines.pop()!;
    for (const text of lines) take(text);
    if (rest.length > LINE_LENGTH_MAX) {
      throw invalid(`${name} line ${line + 1}: must have at most ${LINE_LENGTH_MAX} characters`);
    }
  }
  if (rest !== '') take(rest);
}

async function parseRecords({ path, name, delimiter }: TextTable, onRecord: OnRecord): Promise<void> {
  const { CsvError, parse } = await import('csv-parse'); // loaded here, since most commands read no CSV
  const parser = parse({
    bom: true,
    delimiter,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    max_record_size: LINE_LENGTH_MAX,
    on_record: (cells: string[], { lines }) => {
      onRecord(cells, lines);
      return null;
    },
  });
  parser.resume();
  try {
    await pipeline(createReadStream(path, { highWaterMark: CHUNK_BYTES }), parser);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw invalid(`${name} line ${parser.info.lines}: ${oneLine(error.message)}`);
  }
}

const invalid = (message: string): EngineError => new EngineError('INVALID_DATA', message);
