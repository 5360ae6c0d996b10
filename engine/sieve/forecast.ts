import { parseInterval } from '../series/intervals.js';
import type { PlannedRule } from '../strategy/index.js';
import type { Forecaster, RuleChoice, SweepDataset, SweepDefinition, SweepRun } from '../sweep/index.js';
import { ruleFeatures, setupFeatures } from './features.js';
import type { Sieve, SieveScore } from './sieve.js';

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
