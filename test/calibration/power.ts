import { normalCdf } from '../../engine/statistics/index.js';
import { type CrossGrid, judgeGrid } from './judge.js';
import { barsIn, barsOf, edgeHours, type Market } from './markets.js';

/** A sweep of one rule with skill among others, held half of the time, over hours. */
export interface PowerSetting {
  readonly years: number;
  readonly tries: number;
  /** True annual Sharpe ratio of the rule times the root of the years: its t-value on average. */
  readonly strength: number;
}

/** Strengths from one that is never found to one that always is. */
export const strengths = [2, 2.5, 3, 3.5, 4, 4.5, 5, 6] as const;
export const powerYears = [1, 2, 4, 8] as const;
export const powerTries = [64, 1_000, 10_000] as const;

const DAYS_PER_YEAR = 365;

const heldGrid = (tries: number, costs: boolean): CrossGrid => ({
  fast: { min: 2, max: 49, step: 1 },
  slow: { min: 50, max: 200, step: 1 },
  trend: null,
  reward: null,
  costs,
  combinations: tries,
});

export interface PowerVerdict {
  /** The leader passes all three tests. */
  readonly passes: boolean;
}

export function judgePower({ years, tries, strength }: PowerSetting, seed: number): PowerVerdict {
  const days = years * DAYS_PER_YEAR;
  const barsAYear = barsIn(edgeHours(DAYS_PER_YEAR, 0));
  // Held half of the time, a bar earns edge / 2 deviations with a deviation of the root of a half.
  const edge = (strength / Math.sqrt(years)) * Math.sqrt(2 / barsAYear);
  const { trust } = judgeGrid(barsOf('planted edge', seed, edgeHours(days, edge)), heldGrid(tries, false), seed);
  return { passes: trust?.luckP != null && trust.fails === null };
}

/** A sweep without skill over eight years that rise like Bitcoin. */
export interface DriftSetting {
  readonly driftOf: Market;
  readonly hasCosts: boolean;
  readonly tries: number;
}

export const driftTries = [64, 1_000] as const;

/** Which tests pass, and the one that the verdict names. */
export interface DriftVerdict {
  readonly luck: number | null;
  readonly market: number | null;
  readonly timing: number | null;
  readonly fails: string | null;
}

export function judgeDrift({ driftOf, hasCosts, tries }: DriftSetting, seed: number): DriftVerdict {
  const { trust } = judgeGrid(barsOf(driftOf, seed), heldGrid(tries, hasCosts), seed);
  const { luckP = null, marketP = null, timing = null, fails = null } = trust ?? {};
  return { luck: luckP, market: marketP, timing: timing?.pValue ?? null, fails };
}

/**
 * The strengths at which shares of 50 % and 90 % are found: the probit line of greatest likelihood.
 * @returns null where all or none are found
 */
export function foundAt(sweeps: readonly { readonly strength: number; readonly passes: boolean }[]) {
  const found = sweeps.filter((one) => one.passes).length;
  if (found === 0 || found === sweeps.length) return null;
  const counts = new Map<number, { passed: number; failed: number }>();
  for (const { strength, passes } of sweeps) {
    const { passed, failed } = counts.get(strength) ?? { passed: 0, failed: 0 };
    counts.set(strength, passes ? { passed: passed + 1, failed } : { passed, failed: failed + 1 });
  }
  let best = { half: Number.NaN, slope: Number.NaN, likelihood: -Infinity };
  for (let half = 0; half <= 12; half += 0.02) {
    for (let slope = 0.3; slope <= 3; slope += 0.05) {
      let likelihood = 0;
      for (const [strength, { passed, failed }] of counts) {
        const share = normalCdf(slope * (strength - half));
        likelihood += passed * Math.log(Math.max(1e-12, share)) + failed * Math.log(Math.max(1e-12, 1 - share));
      }
      if (likelihood > best.likelihood) best = { half, slope, likelihood };
    }
  }
  const NINETY = 1.2815515655446004; // deviations below which 90 % of normal values lie
  return { half: best.half, most: best.half + NINETY / best.slope };
}
