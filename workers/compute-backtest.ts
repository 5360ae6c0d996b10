import { createHash } from 'node:crypto';
import { type Audit, auditStrategy } from '../engine/audit/index.js';
import {
  type AliasedMetrics,
  type BacktestWork,
  detailRun,
  planWork,
  type RunDetails,
  type RunOutcome,
  runWork,
} from '../engine/backtest/index.js';
import { canonicalJson } from '../engine/canonical-json.js';
import type { Simulation } from '../engine/execution/index.js';
import { withinReach } from '../engine/simd/index.js';
import { SplitMix64 } from '../engine/statistics/index.js';

export interface ComputedBacktest extends RunOutcome, RunDetails {
  /** SHA-256 over equity, trades, denials and metrics, bit for bit. */
  readonly resultHash: string;
}

export interface AuditOptions {
  readonly cutCount: number;
  /** The same seed cuts at the same bars. */
  readonly seed: number;
}

/** Computes backtests, in this thread or in a pool. */
export interface BacktestEngine {
  compute(work: BacktestWork, signal?: AbortSignal): Promise<ComputedBacktest>;
  audit(work: BacktestWork, options: AuditOptions, signal?: AbortSignal): Promise<Audit>;
}

/** All of the costly work of a backtest; it needs no names and no dates. */
export const computeBacktest = (given: BacktestWork): ComputedBacktest =>
  withinReach(given.bars, (bars) => {
    const work = { ...given, bars };
    const outcome = runWork(work);
    const resultHash = hashResult(outcome.simulation, outcome.metrics);
    return { ...outcome, ...detailRun(work, outcome), resultHash };
  });

export function auditWork(work: BacktestWork, { cutCount, seed }: AuditOptions): Audit {
  const { first, config, others, detail } = work;
  const generator = new SplitMix64(seed);
  const random = () => generator.uniform();
  const extra = { ...(others && { others }), detail, cutCount, random };
  return withinReach(work.bars, (bars) => auditStrategy({ plan: planWork(work), bars, first, config, ...extra }));
}

/** For the command line, where no other work waits for the thread. */
export const inThisThread: BacktestEngine = {
  compute: async (work) => computeBacktest(work),
  audit: async (work, options) => auditWork(work, options),
};

function hashResult({ trades, denials, equity, exposedBars }: Simulation, metrics: AliasedMetrics): string {
  const hash = createHash('sha256');
  for (const { buffer, byteOffset, byteLength } of [equity, denials.bars, denials.reasons]) {
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  }
  return hash.update(canonicalJson([trades, exposedBars, metrics])).digest('hex');
}
