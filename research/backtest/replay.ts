import { canonicalJson, EngineError, quote } from '../../engine/index.js';
import { configHashOf, type Manifest, runIdOf } from './manifest.js';
import type { BacktestRequest } from './prepare-run.js';
import { differencesBetween } from './record-differences.js';
import { type BacktestRun, type RunServices, runBacktest } from './run-backtest.js';

export interface Replay {
  readonly run: BacktestRun;
  /**
   * Equity, trades, denials and metrics came out the same in every bit, and the record agrees with
   * itself.
   */
  readonly isReproduced: boolean;
  /** What is not as it was, a line each: what was found, then version, data and configuration. */
  readonly changes: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Runs a recorded backtest again over the same window, and says what is not as it was. By the same
 * version on the same data all of the record must come out again; otherwise its results must, and
 * what else has changed explains why they do not.
 *
 * @param result the whole result of the run, where it was kept beside the manifest
 */
export async function replay(
  recorded: Manifest,
  services: RunServices,
  signal?: AbortSignal,
  result: Json | null = null,
): Promise<Replay> {
  const run = await runBacktest(requestOf(recorded), services, signal);
  const { manifest } = run.result;
  const { run_id, engine_version, data } = recorded;
  const isSameGround =
    engine_version === manifest.engine_version &&
    data.content_hash === manifest.data.content_hash &&
    data.source === manifest.data.source;
  const before = { ...result, manifest: recorded };
  const hasEquity = result !== null && Object.hasOwn(result, 'equity');
  const now = {
    ...(result === null ? { manifest } : run.result),
    ...(hasEquity ? { equity: run.renderEquity() } : {}),
  };
  const findings = [
    ...flawsOf(recorded),
    ...(isSameGround
      ? differencesBetween(before, now)
      : differencesBetween(resultsOf(before), resultsOf(now), { ignored: run_id === manifest.run_id ? none : ids })),
  ];
  const circumstances = isSameGround ? [] : changesBetween(recorded, manifest);
  return { run, isReproduced: findings.length === 0, changes: [...findings, ...circumstances] };
}

const none: ReadonlySet<string> = new Set();
/** They derive from the id of the run, and that from the data. */
const ids: ReadonlySet<string> = new Set(['trade_id', 'position_id']);

/** What a run came to, without what it was made of. */
function resultsOf(record: Json): Json {
  const { data: _, window: __, execution_config: ___, warnings: ____, manifest, ...results } = record;
  return { ...results, manifest: { result_hash: (manifest as Manifest).result_hash } };
}

/** Hashes of a record that do not follow from what it holds: it was changed by hand. */
function flawsOf(recorded: Manifest): string[] {
  const expected = { config_hash: configHashOf(recorded.execution_config), run_id: runIdOf(recorded) };
  const { config_hash, run_id } = recorded;
  return differencesBetween({ config_hash, run_id }, expected).map(
    (line) => `the record disagrees with itself: ${line}`,
  );
}

/** The request that made a recorded run, its window as it came out. */
export function requestOf({ data, window, request }: Manifest): BacktestRequest {
  const isFile = data.source !== 'catalogue' && data.source !== 'sample';
  return {
    strategy: request.strategy,
    config: request.config,
    ...(request.risk_fields === undefined ? {} : { riskFields: request.risk_fields }),
    asset: data.asset,
    interval: data.interval,
    window: { start: window.start, end: window.end },
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
  compare('source of the data', recorded.data.source, now.data.source);
  compare('first tradable bar', recorded.window.start, now.window.start);
  compare('last close', recorded.window.end, now.window.end);
  const before: Record<string, unknown> = { ...recorded.execution_config };
  const after: Record<string, unknown> = { ...now.execution_config };
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (canonicalJson(before[field]) !== canonicalJson(after[field])) {
      changes.push(`configuration: ${field} was ${quote(before[field])}, is ${quote(after[field])}`);
    }
  }
  return changes;
}

/**
 * The whole result that parsed JSON holds beside its manifest; null where it holds a manifest only.
 */
export function readResult(json: unknown): Json | null {
  if (!isRecord(json) || !isRecord(json.manifest)) return null;
  return ['metrics', 'trades', 'equity'].some((key) => Object.hasOwn(json, key)) ? json : null;
}

/** The manifest in parsed JSON: the manifest itself, or a result that carries one. */
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

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTexts = (value: unknown, fields: readonly string[]): boolean =>
  isRecord(value) && fields.every((field) => typeof value[field] === 'string');
