import { styleText } from 'node:util';
import wrapAnsi from 'wrap-ansi';

let isColored = process.stdout.isTTY === true && process.stdout.hasColors(); // false with NO_COLOR

/** Switches colours off, or on for a terminal that has them. */
export const setColor = (isOn: boolean): void => {
  isColored = isOn && process.stdout.isTTY === true;
};

/** Columns of the terminal; a pipe or a file has no end of line. */
const terminalWidth = (): number => (process.stdout.isTTY ? process.stdout.columns || Infinity : Infinity);

/**
 * Prints one line, wrapped at the width of the terminal. Control characters in names that users
 * chose do not reach the terminal.
 */
export const print = (line = ''): void => {
  const text = line.replace(/\p{Cc}/gu, '\ufffd');
  for (const part of wrapped(text, terminalWidth())) process.stdout.write(`${part}\n`);
};

/** Prints a title, bold where there are colours. */
export const printTitle = (line: string): void => {
  if (isColored) process.stdout.write(`${styleText('bold', line, { validateStream: false })}\n`);
  else print(line);
};

/** A line as lines of at most `width` columns; the further ones are indented like a list. */
export function wrapped(line: string, width: number): string[] {
  if (line.length <= width) return [line];
  const indent = `${/^ */.exec(line)?.[0] ?? ''}  `;
  const [first = '', ...rest] = wrapAnsi(line, width - indent.length, { trim: false, hard: true }).split('\n');
  return [first.trimEnd(), ...rest.map((part) => `${indent}${part.trim()}`)];
}

export const printJson = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value)}\n`);
};

/** Prints a line for people on standard error; standard output holds only the result. */
export const note = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/**
 * A check that the user asked for has failed. The command has printed its findings and ends with an
 * exit code of its own.
 */
export class CheckFailed extends Error {}

type Align = 'left' | 'right';

/** What a column keeps when a table is too wide. */
const COLUMN_WIDTH_MIN = 12;

/**
 * Rows as columns of equal width, two spaces apart. In a table wider than `width` the widest
 * columns of text are wrapped.
 */
export function table(
  rows: readonly (readonly string[])[],
  align: readonly Align[] = [],
  width = terminalWidth(),
): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  }
  shrink(widths, align, width);
  return rows.flatMap((row) => {
    const cells = row.map((cell, i) => wrapCell(cell, widths[i] ?? 0));
    return Array.from({ length: Math.max(...cells.map((lines) => lines.length)) }, (_, k) =>
      cells
        .map((lines, i) => {
          const text = lines[k] ?? '';
          return align[i] === 'right' ? text.padStart(widths[i] ?? 0) : text.padEnd(widths[i] ?? 0);
        })
        .join('  ')
        .trimEnd(),
    );
  });
}

const wrapCell = (cell: string, width: number): string[] =>
  cell.length <= width ? [cell] : wrapAnsi(cell, width, { hard: true }).split('\n');

/** Narrows the widest columns of text until the table fits, or all of them are at their least. */
function shrink(widths: number[], align: readonly Align[], width: number): void {
  const total = () => widths.reduce((sum, each) => sum + each, 2 * (widths.length - 1));
  while (total() > width) {
    const texts = widths.map((each, i) => (align[i] === 'right' ? 0 : each));
    const widest = Math.max(...texts);
    if (widest <= COLUMN_WIDTH_MIN) return;
    widths[texts.indexOf(widest)] = widest - 1;
  }
}

export const percent = (fraction: number, digits = 2): string => `${(100 * fraction).toFixed(digits)} %`;

/** Groups thousands so that amounts are easy to read, independent of the locale. */
export function amount(value: number, digits = 2): string {
  const [whole, fraction] = Math.abs(value).toFixed(digits).split('.') as [string, string?];
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${value < 0 ? '-' : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`;
}

export const count = (value: number): string => amount(value, 0);

/** `1 bar`, `2 bars`. */
export const plural = (n: number, noun: string): string => `${count(n)} ${noun}${n === 1 ? '' : 's'}`;
