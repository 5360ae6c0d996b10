import { spawn } from 'node:child_process';
import { auditMasks, firstMaskDifference, isForesight, type MaskAudit, type MaskName } from '../engine/audit/index.js';
import { EngineError } from '../engine/errors.js';
import { createMask, isoTime, type Mask } from '../engine/series/index.js';
import { SplitMix64 } from '../engine/statistics/index.js';
import { clip } from '../engine/text.js';
import { readMasks } from './simulate-inputs.js';
import { readRequests, type Simulation } from './simulate-requests.js';

interface MasksFinding {
  /**
   * `look-ahead`: the command answers otherwise on a bar when the bars after a cut are gone.
   * `foresight`: the mask goes along with the bar after it more than a rule could.
   * `not-reproduced`: the command makes other masks than the request has.
   */
  readonly kind: 'look-ahead' | 'foresight' | 'not-reproduced';
  readonly mask: MaskName;
  /** First bar that differs, or first bar of the mask. */
  readonly bar: number;
  readonly time: string;
  /** Bars of the cut data, or of the mask. */
  readonly cut: number;
}

export interface MasksReport extends MaskAudit {
  readonly id: string;
  readonly is_clean: boolean;
  readonly bars: number;
  /** Places at which the bars were cut for the command; 0 without one. */
  readonly cuts: number;
  readonly findings: readonly MasksFinding[];
}

interface MasksAuditOptions {
  /** Shell command that makes masks of bars: JSON from its standard input to its output. */
  readonly command: string | null;
  readonly cutCount: number;
  readonly seed: number;
}

/** The masks as read, by the names in requests. */
type Masks = Pick<Simulation, 'entry' | 'exit' | 'shortEntry' | 'shortExit'>;

const named = ({ entry, exit, shortEntry, shortExit }: Masks): [MaskName, Mask | null][] => [
  ['entry', entry],
  ['exit', exit],
  ['short_entry', shortEntry],
  ['short_exit', shortExit],
];

/**
 * Audits masks that were made elsewhere: requests as for `simulateRequests`, each with masks.
 * @throws EngineError for a bad request, and INVALID_DATA where the command fails
 */
export async function auditMaskRequests(json: unknown, options: MasksAuditOptions): Promise<MasksReport[]> {
  const reports: MasksReport[] = [];
  const given = readRequests(json);
  const requests = json as readonly { readonly bars: readonly unknown[]; readonly interval: unknown }[];
  for (const [place, [id, run]] of [...given].entries()) {
    if (run.strategy !== null) {
      const message = `requests[${place}]: id ${JSON.stringify(id)}: masks are required; audit a strategy with --strategy`;
      throw new EngineError('MISSING_FIELD', message, { field: 'masks' });
    }
    // biome-ignore lint/style/noNonNullAssertion: every request that was read is in the list
    const { bars: rows, interval } = requests[place]!;
    const make = (cut: number) => made(options.command ?? '', { id, interval, bars: rows.slice(0, cut) }, cut);
    reports.push(await auditOne(id, run, options, make));
  }
  return reports;
}

async function auditOne(
  id: string,
  run: Simulation,
  { command, cutCount, seed }: MasksAuditOptions,
  make: (cut: number) => Promise<Masks>,
): Promise<MasksReport> {
  const { bars, first } = run;
  const audit = auditMasks(run);
  const barTime = (bar: number): string => isoTime(bars.time[bar] ?? Number.NaN);
  const findings: MasksFinding[] = named(run).flatMap(([mask]) => {
    const found = audit.timings.find((timing) => timing.mask === mask && isForesight(timing));
    if (found === undefined) return [];
    const { bar, count } = found;
    return [{ kind: 'foresight' as const, mask, bar, time: barTime(bar), cut: count }];
  });
  const differences = (kind: MasksFinding['kind'], one: Masks, other: Masks, cut: number): void => {
    const others = new Map(named(other));
    for (const [mask, bits] of named(one)) {
      const otherBits = others.get(mask) ?? createMask(cut);
      const bar = firstMaskDifference(bits ?? createMask(bars.barCount), otherBits, 0, 0, cut);
      const isKnown = findings.some((known) => known.kind === kind && known.mask === mask);
      if (bar !== null && !isKnown) findings.push({ kind, mask, bar, time: barTime(bar), cut });
    }
  };
  const cuts = command === null ? [] : drawCuts(bars.barCount, first, cutCount, seed);
  if (command !== null) {
    const whole = await make(bars.barCount);
    differences('not-reproduced', run, whole, bars.barCount);
    for (const cut of cuts) differences('look-ahead', whole, await make(cut), cut);
  }
  return { id, is_clean: findings.length === 0, bars: bars.barCount - first, cuts: cuts.length, findings, ...audit };
}

/** Ascending, each once. */
function drawCuts(barCount: number, first: number, cutCount: number, seed: number): number[] {
  const random = new SplitMix64(seed);
  const span = barCount - first - 1;
  const drawn = Array.from({ length: span > 0 ? cutCount : 0 }, () => first + 1 + random.below(span));
  return [...new Set(drawn)].sort((a, b) => a - b);
}

async function made(command: string, question: object, barCount: number): Promise<Masks> {
  const answer = await runProducer(command, question);
  try {
    return readMasks(answer, barCount);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new EngineError('INVALID_DATA', `the masks command answered for ${barCount} bars: ${error.message}`);
  }
}

const TIMEOUT_MS = 600_000;
const ANSWER_BYTES_MAX = 256 * 1024 * 1024;

/**
 * Runs a shell command with JSON on its standard input and reads JSON from its standard output.
 * What it writes to standard error goes to ours.
 *
 * @throws EngineError INVALID_DATA where it fails, takes more than ten minutes or answers no JSON
 */
async function runProducer(command: string, question: object): Promise<unknown> {
  const child = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'inherit'], timeout: TIMEOUT_MS });
  const chunks: Buffer[] = [];
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= ANSWER_BYTES_MAX) chunks.push(chunk);
    else child.kill();
  });
  child.stdin.on('error', () => {}); // a command that ends early says so by its exit code
  child.stdin.end(JSON.stringify(question));
  const ended = await new Promise<string | null>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(code === 0 ? null : `ended with ${signal ?? `exit code ${code}`}`));
  });
  const failed = (problem: string) => new EngineError('INVALID_DATA', `the masks command ${problem}: ${command}`);
  if (bytes > ANSWER_BYTES_MAX) throw failed(`answered more than ${ANSWER_BYTES_MAX} bytes`);
  if (ended !== null) throw failed(ended);
  const text = Buffer.concat(chunks).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw failed(`must print JSON {"entry": [bars], "exit": [bars]}, printed ${JSON.stringify(clip(text, 80))}`);
  }
}
