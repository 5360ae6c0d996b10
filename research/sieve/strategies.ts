import { parseInterval } from '../../engine/series/index.js';
import { type Signal, signals } from '../../engine/signals/index.js';
import { SplitMix64 } from '../../engine/statistics/index.js';
import type { PlannedRule } from '../../engine/strategy/index.js';
import {
  RandomSampler,
  type RuleChoice,
  readSweepOver,
  type SweepDataset,
  type SweepDefinition,
  type SweepRun,
} from '../../engine/sweep/index.js';

/**
 * Settings that strategies vary, each with its published default first. Costs, stops, targets and
 * time limits decide how a run ends; the others hardly matter to that.
 */
const settingAxes = [
  { param: 'slippage_pct', values: [0.004, 0, 0.0005, 0.001, 0.002] },
  { param: 'fee_pct', values: [0.0085, 0, 0.0005, 0.001, 0.002] },
  { param: 'reward_factor', values: [2, 1, 1.5, 3, 5] },
  { param: 'atr_volatility_factor', values: [2, 1, 1.5, 3, 5] },
  { param: 'stop_loss_calculation', values: ['dynamic_atr', 'fixed'] },
  { param: 'fixed_stop_pct', values: [0.02, 0.01, 0.05] },
  { param: 'max_risk_per_trade', values: [0.01, 0.005, 0.02, 0.05] },
  { param: 'max_hold_bars', values: [1_000, 6, 24, 100, 0] },
  { param: 'max_open_positions', values: [10, 1, 3] },
] as const;
/** Share of strategies with all settings at their defaults, and elsewhere the chance of each. */
const ALL_DEFAULTS = 0.3;
const ONE_DEFAULT = 0.4;

/** Filters of an entry and of an exit, at most; an exit is there in every second strategy. */
const ENTRY_FILTERS_MAX = 2;

const coarser: Readonly<Record<string, string>> = { '5m': '1h', '15m': '4h', '30m': '4h', '1h': '4h', '4h': '1d' };

/** Signals over bars alone: the others need columns or texts that only their author has. */
const isDrawn = ({ category }: Signal): boolean => category !== 'onchain' && category !== 'user';

/**
 * Every signal three times: with parameters drawn within their bounds, with its defaults, and on
 * coarser bars. A parameter without a default is drawn in all of them.
 */
function listed(type: 'TRIGGER' | 'FILTER', timeframe: string): object[] {
  return signals
    .filter((signal) => signal.type === type && isDrawn(signal))
    .flatMap(({ name, params }) => {
      const specs = Object.entries(params);
      const params_sweep = Object.fromEntries(
        specs.flatMap(([param, spec]) =>
          spec.default === undefined && 'min' in spec ? [[param, { min: spec.min, max: spec.max, step: 1 }]] : [],
        ),
      );
      const defaults = Object.fromEntries(
        specs.flatMap(([param, spec]) => (spec.default === undefined ? [] : [[param, spec.default]])),
      );
      const rule = { name, signal_type: type, params_sweep };
      const coarse = coarser[timeframe];
      return [rule, { ...rule, params: defaults }, ...(coarse === undefined ? [] : [{ ...rule, timeframe: coarse }])];
    });
}

/** The sweep whose samples are the strategies: a random search over all signals. */
function searchOver(dataset: SweepDataset): SweepDefinition {
  const { asset, timeframe } = dataset;
  const side = { triggers: listed('TRIGGER', timeframe), filters: listed('FILTER', timeframe) };
  const sweep = {
    name: 'strategies of the sieve',
    search_mode: 'random',
    n_random: 1,
    datasets: [{ asset, timeframe }],
    entry_signals: side,
    exit_signals: side,
    random_signals: { min_entry_filters: 1, max_entry_filters: ENTRY_FILTERS_MAX, max_exit_filters: 1 },
    execution_config: { sweep_axes: settingAxes },
  };
  const reading = readSweepOver(sweep, [{ dataset, bars: () => noBars() }]);
  if (reading.definition === null) throw new Error(reading.errors.join('; '));
  return reading.definition;
}

const noBars = (): never => {
  throw new Error('a random search does not read bars');
};

/** One rule of the pool, as sweeps and as plans write it. */
export interface PooledRule {
  readonly choice: RuleChoice;
  readonly planned: PlannedRule;
}

/** A drawn strategy with its settings. */
interface DrawnStrategy {
  readonly run: SweepRun;
  readonly entry: readonly PooledRule[];
  readonly exit: readonly PooledRule[];
}

/**
 * Draws strategies for one series. Their rules come from a pool of random samples, so that the
 * masks of a rule serve many strategies.
 */
export class Strategies {
  readonly definition: SweepDefinition;
  readonly #random: SplitMix64;
  readonly #pool: Readonly<
    Record<'entry' | 'exit', { readonly triggers: PooledRule[]; readonly filters: PooledRule[] }>
  >;

  /**
   * @param samples random samples whose rules make the pool
   */
  constructor(
    private readonly dataset: SweepDataset,
    seed: number,
    samples: number,
  ) {
    this.definition = searchOver(dataset);
    this.#random = new SplitMix64(seed);
    this.#pool = { entry: { triggers: [], filters: [] }, exit: { triggers: [], filters: [] } };
    const sampler = new RandomSampler(this.definition, 0, this.#random);
    for (let k = 0; k < samples; k++) {
      const run = sampler.next();
      if (run === null) continue;
      for (const side of ['entry', 'exit'] as const) this.#keep(side, run[side]);
    }
  }

  #keep(side: 'entry' | 'exit', choices: readonly RuleChoice[]): void {
    for (const choice of choices) {
      const { signal, role, timeframe } = choice.space.definition;
      const timeframeMs = parseInterval(timeframe ?? this.dataset.timeframe);
      const planned = { signal, role, timeframeMs, params: choice.space.params(choice.combination) };
      this.#pool[side][role === 'TRIGGER' ? 'triggers' : 'filters'].push({ choice, planned });
    }
  }

  next(): DrawnStrategy {
    const random = this.#random;
    const entry = [this.#one('entry', 'triggers')];
    for (let n = random.below(ENTRY_FILTERS_MAX + 1); n > 0; n--) entry.push(this.#one('entry', 'filters'));
    const exit = random.below(2) === 0 ? [] : [this.#one('exit', 'triggers')];
    if (exit.length > 0 && random.below(3) === 0) exit.push(this.#one('exit', 'filters'));
    const ruleChoices = (rules: readonly PooledRule[]) => rules.map(({ choice }) => choice);
    const run = {
      dataset: this.dataset,
      datasetIndex: 0,
      entry: ruleChoices(entry),
      exit: ruleChoices(exit),
      variant: this.#variant(),
    };
    return { run, entry, exit };
  }

  #one(side: 'entry' | 'exit', kind: 'triggers' | 'filters'): PooledRule {
    const rules = this.#pool[side][kind];
    return rules[this.#random.below(rules.length)] as PooledRule;
  }

  /** Index of the drawn settings: the last axis varies fastest. */
  #variant(): number {
    const random = this.#random;
    if (random.uniform() < ALL_DEFAULTS) return 0;
    let variant = 0;
    for (const { values } of settingAxes) {
      const place = random.uniform() < ONE_DEFAULT ? 0 : random.below(values.length);
      variant = variant * values.length + place;
    }
    return variant;
  }
}
