import { exponential } from './exponential.js';

/** Heads of the model: the first says whether a run trades, the others how a trading run ends. */
export const SIEVE_HEADS = ['no_trades', 'losing', 'wash', 'winning'] as const;

/** A trained model as it is stored. */
export interface SieveModel {
  readonly name: string;
  /** By feature, thousandths for each head. Features that are not listed weigh 0. */
  readonly weights: Readonly<Record<string, readonly number[]>>;
}

/** How a run is likely to end; the sum is 1. */
export interface SieveScore {
  readonly no_trades: number;
  readonly losing: number;
  readonly wash: number;
  readonly winning: number;
}

export const WEIGHT_UNIT = 1_000;

/**
 * Scores runs with a trained model: a logistic regression that says whether a run trades, and a
 * multinomial one that says how a run that trades ends. Weights are whole numbers, so the order of
 * features does not matter to the last bit.
 */
export class Sieve {
  readonly #weights: ReadonlyMap<string, readonly number[]>;

  constructor({ weights }: SieveModel) {
    this.#weights = new Map(Object.entries(weights));
  }

  score(features: Iterable<string>): SieveScore {
    let [a, b, c, d] = [0, 0, 0, 0];
    for (const feature of features) {
      const weights = this.#weights.get(feature);
      if (weights === undefined) continue;
      a += weights[0];
      b += weights[1];
      c += weights[2];
      d += weights[3];
    }
    return score(a / WEIGHT_UNIT, b / WEIGHT_UNIT, c / WEIGHT_UNIT, d / WEIGHT_UNIT);
  }
}

/** The score that four sums of weights give. */
function score(none: number, losing: number, wash: number, winning: number): SieveScore {
  const trades = 1 / (1 + exponential(none));
  const top = Math.max(losing, wash, winning);
  const [l, w, g] = [exponential(losing - top), exponential(wash - top), exponential(winning - top)];
  const share = trades / (l + w + g);
  return { no_trades: 1 - trades, losing: share * l, wash: share * w, winning: share * g };
}
