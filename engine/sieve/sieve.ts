import { parseInterval } from '../series/intervals.js';
import type { PlannedRule } from '../strategy/index.js';
import type { Forecaster, RuleChoice, SweepDataset, SweepDefinition, SweepRun } from '../sweep/index.js';
import { ruleFeatures, setupFeatures } from './features.js';

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

const LIMIT = 40;
const LN_2 = Math.LN2;
/** Terms of the series of e^r for |r| <= ln 2 / 2; the next one is below half a bit. */
const TERMS = 14;

/**
 * e^x by sums and products alone, so that every platform gives the same bits, which the standard
 * does not promise of `Math.exp`. Beyond +-40 it stays at its value there: no probability shows the
 * difference.
 */
export function exponential(x: number): number {
  const bounded = Math.max(-LIMIT, Math.min(LIMIT, x));
  const doublings = Math.round(bounded / LN_2);
  const rest = bounded - doublings * LN_2;
  let sum = 1;
  for (let n = TERMS; n > 0; n--) sum = 1 + (sum * rest) / n;
  const factor = doublings < 0 ? 0.5 : 2;
  for (let n = Math.abs(doublings); n > 0; n--) sum *= factor;
  return sum;
}

/** One side of a run with its features, which neighbouring runs mostly share. */
interface Side {
  readonly choices: readonly RuleChoice[];
  readonly dataset: SweepDataset;
  readonly rules: readonly PlannedRule[];
  readonly features: readonly string[];
}

/**
 * Scores the runs of a sweep. A sweep runs over whole series, so the model is not told what the
 * market did before.
 */
export class SieveForecaster implements Forecaster {
  #entry: Side | null = null;
  #exit: Side | null = null;

  constructor(
    private readonly sieve: Sieve,
    readonly version: string,
    private readonly definition: SweepDefinition,
  ) {}

  forecast({ dataset, entry, exit, variant }: SweepRun): SieveScore {
    if (this.#entry?.choices !== entry || this.#entry.dataset !== dataset) {
      this.#entry = buildSide('entry', entry, dataset);
    }
    if (this.#exit?.choices !== exit || this.#exit.dataset !== dataset) this.#exit = buildSide('exit', exit, dataset);
    const intervalMs = parseInterval(dataset.timeframe);
    const setup = setupFeatures({
      entry: this.#entry.rules,
      exit: this.#exit.rules,
      config: this.definition.variants.config(variant, intervalMs),
      intervalMs,
      windowBars: dataset.rows,
      market: null,
    });
    return this.sieve.score([...setup, ...this.#entry.features, ...this.#exit.features]);
  }
}

function buildSide(side: 'entry' | 'exit', choices: readonly RuleChoice[], dataset: SweepDataset): Side {
  const intervalMs = parseInterval(dataset.timeframe);
  const rules = choices.map(({ space, combination }) => {
    const { signal, role, timeframe } = space.definition;
    const timeframeMs = timeframe === null ? intervalMs : parseInterval(timeframe);
    return { signal, role, timeframeMs, params: space.params(combination) };
  });
  const features = rules.flatMap((rule) => ruleFeatures(side, rule, intervalMs));
  return { choices, dataset, rules, features };
}
