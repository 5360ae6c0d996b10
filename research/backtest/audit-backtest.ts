import type { Audit, AuditFinding, WarmUpDrift } from '../../engine/audit/index.js';
import { EngineError } from '../../engine/errors.js';
import { isoTime } from '../../engine/series/index.js';
import { type AuditOptions, inThisThread } from '../../workers/index.js';
import { type AssetList, listAssets, onEach } from '../assets-held.js';
import { type BacktestRequest, prepareRun, requestedStrategy } from './prepare-run.js';
import type { RunServices, Services } from './run-backtest.js';

export interface AuditReport {
  readonly is_clean: boolean;
  readonly bars: number;
  readonly cuts: number;
  readonly histories: Audit['histories'];
  /** Opening times of the first bar that differs. */
  readonly findings: readonly (AuditFinding & { readonly time: string })[];
  readonly drifts: readonly WarmUpDrift[];
  /** What the result owes to the newest value of each column that a rule reads. */
  readonly lags: Audit['lags'];
  /** Rules that the engine refused and the audit therefore left out. */
  readonly refused: readonly string[];
}

/**
 * Audits the strategy of a request over the request's bars. The same seed cuts at the same bars.
 */
export async function auditBacktest(
  request: BacktestRequest,
  options: AuditOptions,
  services: RunServices,
  signal?: AbortSignal,
): Promise<AuditReport> {
  const strategy = requestedStrategy(request);
  const { bars, first, plan, config, others, detail } = await prepareRun(request, strategy, services);
  const { engine = inThisThread } = services;
  const audit = await engine.audit({ strategy, bars, first, config, others, detail }, options, signal);
  return {
    is_clean: audit.findings.length === 0,
    bars: bars.barCount - first,
    cuts: audit.cuts.length,
    histories: audit.histories,
    // biome-ignore lint/style/noNonNullAssertion: the bar of a finding is a bar of the run
    findings: audit.findings.map((finding) => ({ ...finding, time: isoTime(bars.time[finding.bar]!) })),
    drifts: audit.drifts,
    lags: audit.lags,
    refused: plan.denied.map(({ side, name, message }) => `${side} rule ${name}: ${message}`),
  };
}

export interface AssetAudits {
  /** Those with findings first, then by name. */
  readonly audits: readonly { readonly asset: string; readonly report: AuditReport }[];
  /** Assets that could not run, with the reason. */
  readonly left_out: readonly { readonly asset: string; readonly reason: string }[];
}

/**
 * Audits a strategy on several assets. Of `all` assets, assets that cannot run are left out, unless
 * no asset can.
 */
export async function auditAssets(
  request: Omit<BacktestRequest, 'asset'>,
  list: AssetList,
  options: AuditOptions,
  services: Services,
  onAudit: (total: number) => void = () => {},
): Promise<AssetAudits> {
  if (request.interval === undefined) {
    throw new EngineError('MISSING_FIELD', 'interval is required', { field: 'interval' });
  }
  const assets = await listAssets(list, request.interval, services.store);
  const { ran, leftOut } = await onEach(list, assets, async (asset) => {
    const report = await auditBacktest({ ...request, asset }, options, services);
    onAudit(assets.length);
    return { asset, report };
  });
  const isFirst = ({ report }: (typeof ran)[number]): number => (report.is_clean ? 1 : 0);
  return { audits: ran.sort((a, b) => isFirst(a) - isFirst(b) || (a.asset < b.asset ? -1 : 1)), left_out: leftOut };
}
