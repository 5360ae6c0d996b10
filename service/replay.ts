import { canonicalJson, EngineError, quote } from '../engine/index.js';
import type { Manifest } from './manifest.js';
import type { BacktestRequest } from './prepare-run.js';
import { type BacktestRun, type RunServices, runBacktest } from './run-backtest.js';

export interface Replay {
  readonly run: BacktestRun;
  /** Equity, trades, denials and metrics came out the same in every bit. */
  readonly isReproduced: boolean;
  /** What is not as it was, a line each: version, data, configuration, warnings. */
  readonly changes: readonly string[];
}

/** Runs a recorded backtest again over the same window, and says what is not as it was. */
export async function replay(recorded: Manifest, services: RunServices, signal?: AbortSignal): Promise<Replay> {
  const run = await runBacktest(requestOf(recorded), services, signal);
  const { manifest } = run.result;
  return {
    run,
    isReproduced: manifest.result_hash === recorded.result_hash,
    changes: changesBetween(recorded, manifest),
  };
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
  compare('data', recorded.data.content_hash.slice(0, 12), now.data.content_hash.slice(0, 12));
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

/** The manifest in parsed JSON: the manifest itself, or a result that carries one. */
export function readManifest(json: unknown, source: string): Manifest {
  const holder = isRecord(json) && isRecord(json.manifest) ? json.manifest : json;
  const isManifest =
    isRecord(holder) &&
    ['run_id', 'engine_version', 'result_hash', 'config_hash'].every((field) => typeof holder[field] === 'string') &&
    isTexts(holder.data, ['asset', 'interval', 'source', 'content_hash']) &&
    isTexts(holder.window, ['start', 'end']) &&
    isRecord(holder.request) &&
    isRecord(holder.execution_config);
  if (!isManifest)
    throw new EngineError('INVALID_FIELD', `${source} is not a run: it must hold the manifest of a backtest`);
  return holder as unknown as Manifest;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTexts = (value: unknown, fields: readonly string[]): boolean =>
  isRecord(value) && fields.every((field) => typeof value[field] === 'string');
