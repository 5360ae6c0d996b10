import { Writable } from 'node:stream';
import { visible } from '../engine/text.js';
import type { CallerIds } from '../rpc/index.js';

/** The caller's ids as fields of a log line. */
export const callerFields = (caller: CallerIds | null) =>
  caller === null
    ? {}
    : {
        user_id: caller.userId,
        org_id: caller.orgId,
        credential: caller.credential,
        credential_id: caller.credentialId,
      };

/** Codes of a terminal. */
const styles = { dim: 2, green: 32, yellow: 33, red: 31 } as const;
type Style = keyof typeof styles;

const levels: Readonly<Record<number, readonly [name: string, style: Style]>> = {
  10: ['TRACE', 'dim'],
  20: ['DEBUG', 'dim'],
  30: ['INFO', 'green'],
  40: ['WARN', 'yellow'],
  50: ['ERROR', 'red'],
  60: ['FATAL', 'red'],
};

interface LogLine {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly service?: string;
  readonly version?: string;
  readonly err?: { readonly stack?: string; readonly message?: string };
  readonly [field: string]: unknown;
}

/**
 * One line of the log for a person: time, level, message, fields; the stack of an error below it.
 * Control characters are escaped, since a field may hold what a client sent.
 */
export function readableLine(text: string, isColoured: boolean): string {
  const { level, time, msg = '', service: _service, version: _version, err, ...fields } = JSON.parse(text) as LogLine;
  const [name, style] = levels[level] ?? [String(level), 'dim'];
  const paint = (style: Style, part: string): string =>
    isColoured ? `\u001b[${styles[style]}m${part}\u001b[0m` : part;
  const shown = Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => `${paint('dim', `${key}=`)}${plain(value)}`);
  const clock = new Date(time).toISOString().slice(11, 23);
  const head = [paint('dim', clock), paint(style, name.padEnd(5)), plain(msg), ...shown].join(' ');
  const stack = err?.stack ?? err?.message;
  return stack === undefined
    ? head
    : `${head}\n${stack
        .split('\n')
        .map((each) => `    ${plain(each)}`)
        .join('\n')}`;
}

/** Text with characters that a terminal would obey is quoted, with their escapes. */
function plain(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return visible(text) === text ? text : visible(JSON.stringify(text));
}

/** Writes the lines of the log to a terminal. */
export const readableStream = (out: NodeJS.WriteStream): Writable =>
  new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      const isColoured = out.hasColors?.() ?? false;
      const lines = text.split('\n').filter((line) => line !== '');
      out.write(lines.map((line) => `${readableLine(line, isColoured)}\n`).join(''), () => done());
    },
  });

/** Lets at most `max` pass in each window of time, and counts the others. */
export class Floodgate {
  #startMs = Number.NEGATIVE_INFINITY;
  #passed = 0;
  #leftOut = 0;

  constructor(
    private readonly max: number,
    private readonly windowMs: number,
  ) {}

  /** How many were left out since the last that passed; null if this one is left out too. */
  pass(nowMs: number): number | null {
    if (nowMs - this.#startMs >= this.windowMs) {
      this.#startMs = nowMs;
      this.#passed = 0;
    }
    if (this.#passed === this.max) {
      this.#leftOut++;
      return null;
    }
    this.#passed++;
    const leftOut = this.#leftOut;
    this.#leftOut = 0;
    return leftOut;
  }
}
