import {
  type Audit,
  type AuditFinding,
  auditStrategy,
  isoTime,
  parseStrategy,
  type WarmUpDrift,
} from '../engine/index.js';
import { type BacktestRequest, prepareRun } from './prepare-run.js';
import type { Services } from './run-backtest.js';

export interface AuditReport {
  readonly is_clean: boolean;
  readonly bars: number;
  readonly cuts: number;
  readonly histories: Audit['histories'];
  /** Times are opens of the first bar that differs. */
  readonly findings: readonly (AuditFinding & { readonly time: string })[];
  readonly drifts: readonly WarmUpDrift[];
  /** Rules that the engine refused, and therefore nobody audited. */
  readonly refused: readonly string[];
}

/** Audits the strategy of a request over its own bars. The same seed cuts at the same bars. */
export async function auditBacktest(
  request: BacktestRequest,
  { cutCount, seed }: { readonly cutCount: number; readonly seed: number },
  { store }: Services,
): Promise<AuditReport> {
  const strategy = parseStrategy(request.strategy, 'relaxed');
  const { bars, first, plan, config } = await prepareRun(request, strategy, store);
  const audit = auditStrategy({ plan, bars, first, config, cutCount, random: splitMix(seed) });
  return {
    is_clean: audit.findings.length === 0,
    bars: bars.barCount - first,
    cuts: audit.cuts.length,
    histories: audit.histories,
    findings: audit.findings.map((finding) => ({ ...finding, time: isoTime(bars.time[finding.bar]!) })),
    drifts: audit.drifts,
    refused: plan.denied.map(({ side, name, message }) => `${side} rule ${name}: ${message}`),
  };
}

/** SplitMix64, so that any language draws the same numbers from a seed. Uniform in [0, 1) with 53 bits. */
function splitMix(seed: number): () => number {
  const mask = 0xffff_ffff_ffff_ffffn;
  let state = BigInt(seed);
  return () => {
    state = (state + 0x9e37_79b9_7f4a_7c15n) & mask;
    let z = state;
    z = ((z ^ (z >> 30n)) * 0xbf58_476d_1ce4_e5b9n) & mask;
    z = ((z ^ (z >> 27n)) * 0x94d0_49bb_1331_11ebn) & mask;
    return Number((z ^ (z >> 31n)) >> 11n) / 2 ** 53;
  };
}
