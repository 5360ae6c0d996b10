import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { EngineError } from '../../engine/errors.js';
import { oneLine } from '../one-line.js';
import { findPrices } from './columns.js';

/** What a first pass learned about a file of separated cells: its size and how to read it. */
interface TextTable {
  readonly path: string;
  /** How messages name the file. */
  readonly name: string;
  /** An upper bound on the number of records. */
  readonly lineCount: number;
  readonly bytes: number;
  readonly delimiter: string;
  /** Whether any cell is quoted, so that lines need a parser. */
  readonly isQuoted: boolean;
}

const LINE_LENGTH_MAX = 100_000;
const LINE_COUNT_MAX = 50_000_000;
const CHUNK_BYTES = 1 << 20;
const NEWLINE = 10;
const QUOTE = 34;
/** Lines above the header that a file may have. */
export const HEAD_LINES = 20;

/**
 * One pass over the bytes: counts the lines, so that columns are allocated once, and looks for
 * quotes and binary data.
 */
export async function surveyText(path: string, name: string): Promise<TextTable> {
  let newlines = 0;
  let offset = 0;
  let isQuoted = false;
  let head: string[] | null = null;
  for await (const chunk of utf8Parts(path)) {
    head ??= headLines(chunk, name);
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i];
      if (byte === NEWLINE) newlines++;
      else if (byte === QUOTE) isQuoted = true;
      else if (byte === 0) throw invalid(`${name} is not text: byte ${offset + i} is zero`);
    }
    offset += chunk.length;
  }
  if (head === null) throw invalid(`${name} is empty`);
  if (newlines >= LINE_COUNT_MAX) throw invalid(`${name} must have at most ${LINE_COUNT_MAX} lines, has ${newlines}`);
  return { path, name, lineCount: newlines + 1, bytes: offset, delimiter: findDelimiter(head), isQuoted };
}

/** The first lines of a file. @throws INVALID_DATA for bytes that are no text */
function headLines(chunk: Buffer, name: string): string[] {
  const kind = foreignKind(chunk);
  if (kind !== undefined) throw invalid(`${name} is ${kind.name}, ${kind.remedy}`);
  return chunk
    .subarray(0, LINE_LENGTH_MAX)
    .toString('utf8')
    .split('\n', HEAD_LINES)
    .map((line) => line.trimEnd().replace(/^\uFEFF/, ''));
}

/** Files that users take for text, by their first bytes. */
const foreignKinds = [
  { name: 'a ZIP archive', magic: Buffer.from('PK\x03\x04', 'latin1'), remedy: 'unpack it first' },
  { name: 'compressed with gzip', magic: Buffer.from('\x1f\x8b', 'latin1'), remedy: 'unpack it first' },
] as const;

/** The encodings that a mark at the head of a text names; without one a text is UTF-8. */
const marks = [
  { encoding: 'utf-16le', magic: Buffer.from('\xff\xfe', 'latin1') },
  { encoding: 'utf-16be', magic: Buffer.from('\xfe\xff', 'latin1') },
] as const;

/** The bytes of a text as UTF-8, in parts, whatever encoding its mark names. */
async function* utf8Parts(path: string): AsyncGenerator<Buffer> {
  let decoder: InstanceType<typeof TextDecoder> | null | undefined;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    if (decoder === undefined) {
      const mark = marks.find(({ magic }) => chunk.subarray(0, 2).equals(magic));
      decoder = mark === undefined ? null : new TextDecoder(mark.encoding);
    }
    yield decoder === null ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }));
  }
  const rest = decoder?.decode() ?? '';
  if (rest !== '') yield Buffer.from(rest);
}

/** What a file is that users take for text, by its first bytes; undefined for what may be text. */
export const foreignKind = (head: Buffer): (typeof foreignKinds)[number] | undefined =>
  foreignKinds.find(({ magic }) => head.subarray(0, magic.length).equals(magic));

/**
 * The separator of the first line that has the columns of bars. Without such a line, the one that
 * divides two lines in a row into equally many cells, and most of them; the first line decides
 * where none does. A tie goes to the first of the usual ones: beside a semicolon a comma is a
 * decimal point.
 */
function findDelimiter(lines: readonly string[]): string {
  const strange = new Set(lines.join('').replaceAll(/[\p{L}\p{N}\s"'.+:/_-]/gu, ''));
  const delimiters = [...usualDelimiters, ...[...strange].filter((sign) => !usualDelimiters.includes(sign)), ' '];
  for (const line of lines) {
    const found = delimiters.find(
      (delimiter) => findPrices(splitLine(line, delimiter).map((cell) => cell.trim().replaceAll('"', ''))) !== null,
    );
    if (found !== undefined) return found;
  }
  const filled = lines.filter((line) => line.trim() !== '');
  // A blank after another separator in every line divides nothing itself.
  const isPadding = filled.every((line) => /[,;|] /.test(line));
  const counts = delimiters
    .filter((delimiter) => delimiter !== ' ' || !isPadding)
    .map((delimiter) => {
      const cells = filled.map((line) => splitLine(line, delimiter).length);
      const even = cells.filter((count, i) => count >= ROW_CELLS_MIN && count === cells[i - 1]);
      return { delimiter, even: Math.max(0, ...even), first: cells[0] ?? 0 };
    });
  const isEven = counts.some(({ even }) => even > 0);
  const size = (count: (typeof counts)[number]) => (isEven ? count.even : count.first);
  return counts.reduce((best, next) => (size(next) > size(best) ? next : best)).delimiter;
}

const usualDelimiters: readonly string[] = [';', '\t', ',', '|'];
/** Time, open, high, low and close. */
const ROW_CELLS_MIN = 5;

/** Several spaces in a row, as aligned columns have them, are one separator. */
const splitLine = (line: string, delimiter: string): string[] =>
  delimiter === ' ' ? line.trim().split(/ +/) : line.split(delimiter);

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
  const tooLong = (of: number) => invalid(`${name} line ${of}: must have at most ${LINE_LENGTH_MAX} characters`);
  const take = (text: string) => {
    line++;
    if (text.length > LINE_LENGTH_MAX) throw tooLong(line);
    // A file joined from several by `cat` has a mark at the head of each.
    if (text.startsWith('\uFEFF')) text = text.slice(1);
    onRecord(splitLine(text.endsWith('\r') ? text.slice(0, -1) : text, delimiter), line);
  };
  const decoder = new StringDecoder('utf8'); // keeps the mark, as `take` expects
  for await (const chunk of utf8Parts(path)) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    // biome-ignore lint/style/noNonNullAssertion: split returns at least one part
    rest = lines.pop()!;
    for (const text of lines) take(text);
    if (rest.length > LINE_LENGTH_MAX) throw tooLong(line + 1);
  }
  if (rest !== '') take(rest);
}

async function parseRecords({ path, name, delimiter }: TextTable, onRecord: OnRecord): Promise<void> {
  // The library loads here, since most commands read no CSV.
  const { CsvError, parse } = await import('csv-parse');
  const parser = parse({
    bom: true,
    delimiter,
    ...(delimiter === ' ' ? { ltrim: true, skip_empty_lines: false } : {}),
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
    await pipeline(utf8Parts(path), parser);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw invalid(`${name} line ${parser.info.lines}: ${oneLine(error.message)}`);
  }
}

const invalid = (message: string): EngineError => new EngineError('INVALID_DATA', message);
