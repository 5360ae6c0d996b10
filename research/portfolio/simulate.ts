import type { ExecutionConfig } from '../../engine/execution/index.js';
import { type PortfolioSimulation, simulateAllocation, simulatePortfolio } from '../../engine/portfolio/index.js';
import type { PortfolioDefinition } from './definition.js';
import type { PreparedAccount } from './outline.js';
import { type PreparedAsset, type PreparedMember, rulesInput, weightsInput } from './prepare.js';

/** A member or an asset with its bars and signals. */
export type Part = PreparedMember | PreparedAsset;

export interface SimulateOptions {
  /** Fees and slippage are multiplied by it. Default: 1. */
  readonly costs?: number;
  /** First open time, epoch ms. Default: the open of the first bar in the window of any part. */
  readonly start?: number;
  /** What each part was at each close, and the correlation of their profits. Default: false. */
  readonly keepsCourses?: boolean;
}

/** Runs a portfolio whose parts are prepared. */
export function simulateParts(
  definition: PortfolioDefinition,
  account: PreparedAccount,
  parts: readonly Part[],
  { costs = 1, start = earliestStart(parts), keepsCourses = false }: SimulateOptions = {},
): PortfolioSimulation {
  const kept = { start, keepsCourses, keepsCorrelation: keepsCourses };
  if (definition.kind === 'allocation') {
    const config = dearer(account.config, costs);
    return simulateAllocation({
      ...weightsInput(definition, account),
      ...kept,
      config,
      assets: parts as readonly PreparedAsset[],
    });
  }
  const members = (parts as readonly PreparedMember[]).map(({ member }) =>
    costs === 1 ? member : { ...member, config: dearer(member.config, costs) },
  );
  return simulatePortfolio({ ...rulesInput(definition, account), ...kept, members });
}

const earliestStart = (parts: readonly Part[]): number =>
  parts.reduce((start, { bars, first }) => Math.min(start, bars.time[first] ?? Infinity), Infinity);

const dearer = (config: ExecutionConfig, factor: number): ExecutionConfig =>
  factor === 1 ? config : { ...config, fee_pct: config.fee_pct * factor, slippage_pct: config.slippage_pct * factor };
