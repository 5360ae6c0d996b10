import { canonicalJson } from '../../engine/canonical-json.js';
import { EngineError, isRecord, quote } from '../../engine/errors.js';
import { hashConfig, type Manifest, makeRunId } from './manifest.js';
import type { BacktestRequest, OwnSignals } from './prepare-run.js';
import { equityPoints } from './render.js';
import { type BacktestRun, type RunServices, runBacktest } from './run-backtest.js';

export interface Replay {
  readonly run: BacktestRun;
  /**
   * True if equity, trades, denials and metrics are equal bit for bit and the record is consistent.
   */
  readonly isReproduced: boolean;
  /** One line per difference: results first, then version, data and configuration. */
  readonly changes: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Runs a recorded backtest again over the same window and lists the differences. With the same
 * version and data, the whole record must be reproduced. Otherwise only its results must; the other
 * changes explain why results differ.
 *
 * @param result the whole result of the run, if it was stored with the manifest
 * @param own the signals in code; a run that used none is replayed without them
 */
export async function replay(
  recorded: Manifest,
  services: RunServices,
  signal?: AbortSignal,
  result: Json | null = null,
  own?: OwnSignals,
): Promise<Replay> {
  const { signals } = recorded.request;
  if (signals !== undefined && own === undefined) {
    throw new EngineError('MISSING_FIELD', `the run used signals of ${signals.from}: --signals must name that module`);
  }
  const run = await runBacktest({ ...recordedRequest(recorded), own: signals && own }, services, signal);
  const { manifest } = run.result;
  const { run_id, engine_version, data } = recorded;
  const isSameGround =
    engine_version === manifest.engine_version &&
    data.content_hash === manifest.data.content_hash &&
    recorded.request.signals?.hash === manifest.request.signals?.hash &&
    data.source === manifest.data.source;
  const before = { ...result, manifest: recorded };
  const hasEquity = result !== null && Object.hasOwn(result, 'equity');
  const now = {
    ...(result === null ? { manifest } : run.result),
    ...(hasEquity ? { equity: [...equityPoints(run)] } : {}),
  };
  const findings = [
    ...findFlaws(recorded),
    ...(isSameGround
      ? differencesBetween(before, now)
      : differencesBetween(withoutInputs(before), withoutInputs(now), {
          ignored: run_id === manifest.run_id ? none : ids,
        })),
  ];
  const circumstances = isSameGround ? [] : changesBetween(recorded, manifest);
  return { run, isReproduced: findings.length === 0, changes: [...findings, ...circumstances] };
}

const none: ReadonlySet<string> = new Set();
/** Ids of trades derive from the run id, and that derives from the data. */
const ids: ReadonlySet<string> = new Set(['trade_id', 'position_id']);

/** The results of a run, without its inputs. */
function withoutInputs(record: Json): Json {
  const { data: _, window: __, execution_config: ___, warnings: ____, manifest, ...results } = record;
  return { ...results, manifest: { result_hash: (manifest as Manifest).result_hash } };
}

/** Hashes that do not match the content of the record: the record was edited. */
function findFlaws(recorded: Manifest): string[] {
  const expected = { config_hash: hashConfig(recorded.execution_config), run_id: makeRunId(recorded) };
  const { config_hash, run_id } = recorded;
  return differencesBetween({ config_hash, run_id }, expected).map((line) => `the record is inconsistent: ${line}`);
}

/** The request of a recorded run, with the window that the run resolved. */
export function recordedRequest({ data, window, request }: Manifest): BacktestRequest {
  const isFile = data.source !== 'catalogue' && data.source !== 'sample';
  return {
    strategy: request.strategy,
    config: request.config,
    ...(request.risk_fields === undefined ? {} : { riskFields: request.risk_fields }),
    asset: data.asset,
    interval: data.interval,
    window: { start: window.start, end: window.end },
    isAccepted: true,
    takesSides: request.takes_sides ?? true,
    takesPreset: true,
    ...(isFile ? { barsFile: data.source } : {}),
  };
}

function changesBetween(recorded: Manifest, now: Manifest): string[] {
  const changes: string[] = [];
  const compare = (what: string, before: string, after: string) => {
    if (before !== after) changes.push(`${what} was ${before}, is ${after}`);
  };
  compare('version', recorded.engine_version, now.engine_version);
  compare('data', recorded.data.content_hash, now.data.content_hash);
  compare('code of the signals', recorded.request.signals?.hash ?? 'none', now.request.signals?.hash ?? 'none');
  compare('source of the data', recorded.data.source, now.data.source);
  compare('first tradable bar', recorded.window.start, now.window.start);
  compare('last close', recorded.window.end, now.window.end);
  const before: Record<string, unknown> = { ...recorded.execution_config };
  const after: Record<string, unknown> = { ...now.execution_config };
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (canonicalJson(before[field]) !== canonicalJson(after[field])) {
      changes.push(`configuration: ${field} was ${quoteHeld(before[field])}, is ${quoteHeld(after[field])}`);
    }
  }
  return changes;
}

/**
 * The whole result if parsed JSON holds one beside its manifest; null if it holds only a manifest.
 */
export function readResult(json: unknown): Json | null {
  if (!isRecord(json) || !isRecord(json.manifest)) return null;
  return ['metrics', 'trades', 'equity'].some((key) => Object.hasOwn(json, key)) ? json : null;
}

/** Reads the manifest from parsed JSON: a manifest, or a result that contains one. */
export function readManifest(json: unknown, source: string): Manifest {
  const holder = isRecord(json) && isRecord(json.manifest) ? json.manifest : json;
  if (isManifest(holder)) return holder;
  throw new EngineError('INVALID_FIELD', `${source} is not a run: it must hold the manifest of a backtest`);
}

const isManifest = (value: unknown): value is Manifest =>
  isRecord(value) &&
  ['run_id', 'engine_version', 'result_hash', 'config_hash'].every((field) => typeof value[field] === 'string') &&
  isTexts(value.data, ['asset', 'interval', 'source', 'content_hash']) &&
  isTexts(value.window, ['start', 'end']) &&
  isRecord(value.request) &&
  isRecord(value.execution_config);

const isTexts = (value: unknown, fields: readonly string[]): boolean =>
  isRecord(value) && fields.every((field) => typeof value[field] === 'string');

const NAMED_MAX = 20;
const TEXT_MAX = 100;

interface CompareOptions {
  /** Keys to ignore at every level. */
  readonly ignored?: ReadonlySet<string>;
}

/**
 * Lists where two values differ as JSON, one line each: `metrics.total_return was 0.1, is 0.2`. It
 * names the first differences and counts the rest. Texts are shown in full, so that hashes can be
 * told apart.
 */
export function differencesBetween(
  before: unknown,
  now: unknown,
  { ignored = new Set() }: CompareOptions = {},
): string[] {
  const lines: string[] = [];
  let count = 0;
  const visit = (path: string, a: unknown, b: unknown): void => {
    if (isHolder(a) && isHolder(b) && Array.isArray(a) === Array.isArray(b)) {
      for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
        if (!ignored.has(key)) visit(joinPath(path, key, Array.isArray(a)), a[key], b[key]);
      }
      return;
    }
    if (a === b || canonicalJson(a) === canonicalJson(b)) return;
    count += 1;
    if (count <= NAMED_MAX) lines.push(`${path} was ${valueText(a)}, is ${valueText(b)}`);
  };
  visit('', asJson(before), asJson(now));
  return count > NAMED_MAX ? [...lines, `${count - NAMED_MAX} more differences`] : lines;
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const isHolder = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function joinPath(path: string, key: string, isItem: boolean): string {
  if (isItem) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

function valueText(value: unknown): string {
  return typeof value === 'string' && value.length <= TEXT_MAX ? value : quoteHeld(value);
}

/** A value of a record in quotes, or the word for one that the record does not have. */
const quoteHeld = (value: unknown): string => (value === undefined ? 'absent' : quote(value));
