import type { SieveModel } from '../../engine/sieve/index.js';

/** The score of a list of features, straight from the definition of the two regressions. */
export function naiveScore({ weights }: SieveModel, features: readonly string[]) {
  const sum = (head: number) => features.reduce((total, feature) => total + (weights[feature]?.[head] ?? 0), 0) / 1_000;
  const p_no_trades = 1 / (1 + Math.exp(-sum(0)));
  const odds = [Math.exp(sum(1)), Math.exp(sum(2)), Math.exp(sum(3))] as const;
  const all = odds[0] + odds[1] + odds[2];
  const p_trades = 1 - p_no_trades;
  return {
    no_trades: p_no_trades,
    losing: (p_trades * odds[0]) / all,
    wash: (p_trades * odds[1]) / all,
    winning: (p_trades * odds[2]) / all,
  };
}
