/** Prints one line. Control characters in names that users chose do not reach the terminal. */
export const print = (line = ''): void => {
  process.stdout.write(`${line.replace(/\p{Cc}/gu, '\ufffd')}\n`);
};

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

/** Rows as columns of equal width, two spaces apart. */
export function table(rows: readonly (readonly string[])[], align: readonly Align[] = []): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  }
  return rows.map((row) =>
    row
      // biome-ignore lint/style/noNonNullAssertion: widths has an entry for every column
      .map((cell, i) => (align[i] === 'right' ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
      .join('  ')
      .trimEnd(),
  );
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
