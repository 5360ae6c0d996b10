import { once } from 'node:events';
import { styleText } from 'node:util';
import wrapAnsi from 'wrap-ansi';
import { visible } from '../engine/text.js';
import { moneyDigits } from '../report/money-digits.js';

let isPlain = false;

/** Prints without colours from here on. */
export const withoutColor = (): void => {
  isPlain = true;
};

// `hasColors` obeys NO_COLOR.
const isColored = (): boolean => !isPlain && process.stdout.isTTY === true && process.stdout.hasColors();

/** Columns of the terminal; a pipe or a file has no end of line. */
export const terminalWidth = (out: NodeJS.WriteStream = process.stdout): number =>
  out.isTTY ? out.columns || Infinity : Infinity;

/**
 * Prints one line, wrapped at the width of the terminal. What a terminal would obey in a name that
 * a user chose or a file holds is shown.
 */
export const print = (line = ''): void => {
  for (const part of wrapped(visible(line), terminalWidth())) process.stdout.write(`${part}\n`);
};

/** Prints a title, bold where there are colours. */
export const printTitle = (line: string): void => {
  if (isColored()) process.stdout.write(`${styleText('bold', visible(line), { validateStream: false })}\n`);
  else print(line);
};

/** A line as lines of at most `width` columns; the further ones are indented like a list. */
export function wrapped(line: string, width: number): string[] {
  if (line.length <= width) return [line];
  const indent = `${/^ */.exec(line)?.[0] ?? ''}  `;
  const [first = '', ...rest] = wrapAnsi(line, width - indent.length, { trim: false, hard: true }).split('\n');
  return [first.trimEnd(), ...rest.map((part) => `${indent}${part.trim()}`)];
}

/** The escapes of `visible` mean the same in a text of JSON. */
export const printJson = (value: unknown): void => {
  process.stdout.write(`${visible(JSON.stringify(value))}\n`);
};

/** Items whose JSON is written at once: some 100 KB. */
const ITEMS_AT_ONCE = 1_000;

/**
 * The same of an object and one more field, a list of any length, which never is in memory as one
 * text. It waits for a slow reader.
 */
export async function printJsonWithList(value: object, name: string, items: Iterable<unknown>): Promise<void> {
  const { stdout } = process;
  const write = async (text: string) => {
    if (!stdout.write(text)) await once(stdout, 'drain');
  };
  await write(`${visible(JSON.stringify(value)).slice(0, -1)},${JSON.stringify(name)}:[`);
  let texts: string[] = [];
  let isFirst = true;
  const flush = async () => {
    await write(`${isFirst ? '' : ','}${visible(texts.join(','))}`);
    texts = [];
    isFirst = false;
  };
  for (const item of items) {
    texts.push(JSON.stringify(item));
    if (texts.length === ITEMS_AT_ONCE) await flush();
  }
  if (texts.length > 0) await flush();
  await write(']}\n');
}

/** Prints a line for people on standard error; standard output holds only the result. */
export const note = (line: string): void => {
  for (const part of wrapped(visible(line), terminalWidth(process.stderr))) process.stderr.write(`${part}\n`);
};

/**
 * A check that the user asked for has failed. The command has printed its findings and ends with an
 * exit code of its own.
 */
export class CheckFailed extends Error {}

/** Figures stand `right` and are never wrapped, texts at the `end` are; a `whole` name, left, is copied. */
type Align = 'left' | 'right' | 'end' | 'whole';

type Row = readonly string[];

/** What a column of text keeps when a table is too wide: a date fits. */
const TEXT_WIDTH_MIN = 10;

/**
 * Rows as columns of equal width, two spaces apart. In a table wider than `width` the widest
 * columns of text are wrapped.
 */
export function table(given: readonly Row[], align: readonly Align[] = [], width = terminalWidth()): string[] {
  const rows = shown(given);
  const widths = columnWidths(rows);
  const least = widths.map((each, i) => minWidth(each, align[i]));
  return draw(rows, align, shrunk(widths, least, width));
}

/**
 * A table whose first row names its columns. If it is too wide, the names are wrapped too, and if
 * that is not enough each row becomes a list of names and values.
 */
export function headedTable(given: readonly Row[], align: readonly Align[] = [], width = terminalWidth()): string[] {
  const rows = shown(given);
  const [header = [], ...body] = rows;
  const wanted = columnWidths(rows);
  const inBody = columnWidths(body);
  const least = header.map((name, i) => {
    return Math.max(minWidth(inBody[i] ?? 0, align[i]), ...words(name).map(({ length }) => length));
  });
  const widths = shrunk(wanted, least, width);
  if (total(widths) <= width) return draw(rows, align, widths);
  return body.flatMap((row, i) => {
    const pairs = header.map((name, k) => [name, row[k] ?? '']);
    return [...(i === 0 ? [] : ['']), ...table(pairs, [], width)];
  });
}

/** Before widths are measured, since an escape is wider than its character. */
const shown = (rows: readonly Row[]): readonly Row[] => rows.map((row) => row.map(visible));

const minWidth = (width: number, align: Align = 'left'): number =>
  align === 'left' || align === 'end' ? Math.min(width, TEXT_WIDTH_MIN) : width;

function columnWidths(rows: readonly Row[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  }
  return widths;
}

const total = (widths: readonly number[]): number => widths.reduce((sum, each) => sum + each, 2 * (widths.length - 1));

/** The widest columns narrowed until the table fits, or all of them are at their least. */
function shrunk(wanted: readonly number[], least: readonly number[], width: number): number[] {
  const widths = [...wanted];
  while (total(widths) > width) {
    const free = widths.map((each, i) => (each > (least[i] ?? 0) ? each : 0));
    const widest = Math.max(...free);
    if (widest === 0) break;
    widths[free.indexOf(widest)] = widest - 1;
  }
  return widths;
}

function draw(rows: readonly Row[], align: readonly Align[], widths: readonly number[]): string[] {
  return rows.flatMap((row) => {
    const cells = row.map((cell, i) => wrapCell(cell, widths[i] ?? 0));
    return Array.from({ length: Math.max(...cells.map((lines) => lines.length)) }, (_, k) =>
      cells
        .map((lines, i) => {
          const text = lines[k] ?? '';
          return align[i] === 'right' || align[i] === 'end'
            ? text.padStart(widths[i] ?? 0)
            : text.padEnd(widths[i] ?? 0);
        })
        .join('  ')
        .trimEnd(),
    );
  });
}

/** The parts at which a name such as `max_drawdown` may be wrapped. */
const words = (name: string): string[] => name.split(/(?<=_)| /);

function wrapCell(cell: string, width: number): string[] {
  if (cell.length <= width) return [cell];
  if (cell.includes(' ')) return wrapAnsi(cell, width, { hard: true }).split('\n');
  const apart = wrapAnsi(cell.replace(/_(?=\w)/g, '_ '), width, { hard: true });
  return apart.split('\n').map((line) => line.replaceAll('_ ', '_'));
}

export const percent = (fraction: number, digits = 2): string => `${(100 * fraction).toFixed(digits)} %`;

/** Groups thousands so that amounts are easy to read, independent of the locale. */
export function amount(value: number, digits = 2): string {
  const [whole, fraction] = Math.abs(value).toFixed(digits).split('.') as [string, string?];
  // Bounded because a number has at most 310 digits.
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${value < 0 ? '-' : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** An amount of money, with the digits that its size needs. */
export const money = (value: number): string => amount(value, moneyDigits(value));

export const count = (value: number): string => amount(value, 0);

/** `1 bar`, `2 bars`. */
export const plural = (n: number, noun: string): string => `${count(n)} ${noun}${n === 1 ? '' : 's'}`;
