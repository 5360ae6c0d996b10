import { completeParams, type ParamSpec, type ParamValue } from '../indicators/params.js';
import { signals } from '../signals/registry.js';
import type { Signal, SignalCategory, SignalType } from '../signals/signal.js';
import type { SplitMix64 } from '../statistics/index.js';
import { joinGroups, type RuleChoice, type SideRules } from './choice-space.js';
import type { Selection, SideSelection, SweepDataset, SweepDefinition } from './definition.js';
import type { SweepRun } from './run.js';
import { isMet, SignalSpace, type SweepSignal } from './signal-space.js';

/** Redraws of one signal's parameters before the sample is given up. */
const REDRAWS_MAX = 50;
const NUMBER_DECIMALS = 4;

const SEED_STRIDE = 1_000_003n;

/** The seed of the draws for one dataset of a sweep. */
export const datasetSeed = (seed: number, dataset: number): bigint => BigInt(seed) * SEED_STRIDE + BigInt(dataset);

/** One signal of a pool, with the function that draws each parameter, in name order. */
interface Drawn {
  readonly definition: SweepSignal;
  readonly params: readonly (readonly [name: string, draw: (random: SplitMix64) => ParamValue])[];
}

interface Pools {
  readonly triggers: readonly Drawn[];
  readonly filters: readonly Drawn[];
}

/** The pools of each group of a side. */
interface SidePools {
  readonly entry: readonly Pools[];
  readonly exit: readonly Pools[];
}

/** Draws samples for one dataset. Listed signals limit the choice; the registry fills the rest. */
export class RandomSampler {
  readonly #dataset: SweepDataset;
  readonly #long: SidePools;
  readonly #short: SidePools | null;

  constructor(
    private readonly definition: SweepDefinition,
    private readonly datasetIndex: number,
    private readonly random: SplitMix64,
  ) {
    const { entry, exit, short, datasets } = definition;
    this.#dataset = datasets[datasetIndex];
    const pools = (side: SideSelection) => side.map(poolsOf);
    this.#long = { entry: pools(entry), exit: pools(exit) };
    this.#short = short === null ? null : { entry: pools(short.entry), exit: pools(short.exit) };
  }

  /**
   * The next sample, or null when no parameters drawn for one of its signals met the constraints.
   */
  next(): SweepRun | null {
    const long = this.#rules(this.#long);
    if (long === null) return null;
    const short = this.#short === null ? undefined : this.#rules(this.#short);
    if (short === null) return null;
    return {
      dataset: this.#dataset,
      datasetIndex: this.datasetIndex,
      ...long,
      ...(short === undefined ? {} : { short }),
      variant: this.random.below(this.definition.variants.count),
    };
  }

  /** Entry and exit rules of one side. */
  #rules({ entry: entries, exit: exits }: SidePools): SideRules | null {
    const { randomSignals: counts } = this.definition;
    const entry = this.#side(entries, counts.min_entry_filters, counts.max_entry_filters);
    if (entry === null) return null;
    const hasExit = this.#count(counts.min_exit_triggers, counts.max_exit_triggers) === 1;
    const exit = hasExit ? this.#side(exits, counts.min_exit_filters, counts.max_exit_filters) : [];
    return exit === null ? null : { entry, exit };
  }

  #side(groups: readonly Pools[], min: number, max: number): readonly RuleChoice[] | null {
    const drawn: RuleChoice[][] = [];
    for (const pools of groups) {
      const rules = this.#group(pools, min, max);
      if (rules === null) return null;
      drawn.push(rules);
    }
    return joinGroups(drawn);
  }

  /** A trigger and its parameters, the number of filters, and each filter with its parameters. */
  #group({ triggers, filters }: Pools, min: number, max: number): RuleChoice[] | null {
    const trigger = this.#draw(triggers[this.random.below(triggers.length)]);
    if (trigger === null) return null;
    const rules: RuleChoice[] = [trigger];
    const order = [...filters];
    const count = Math.min(this.#count(min, max), order.length);
    for (let i = 0; i < count; i++) {
      // Without replacement, by a partial Fisher-Yates shuffle.
      const j = i + this.random.below(order.length - i);
      [order[i], order[j]] = [order[j], order[i]];
      const filter = this.#draw(order[i]);
      if (filter === null) return null;
      rules.push(filter);
    }
    return rules;
  }

  #count(min: number, max: number): number {
    return min + this.random.below(max - min + 1);
  }

  #draw({ definition, params: drawn }: Drawn): RuleChoice | null {
    const { constraints } = definition;
    for (let attempt = 0; attempt <= REDRAWS_MAX; attempt++) {
      const params: Record<string, ParamValue> = {};
      for (const [name, draw] of drawn) params[name] = draw(this.random);
      if (constraints.every((constraint) => isMet(constraint, params))) {
        const space = new SignalSpace({ ...definition, params, axes: [], constraints: [] });
        return { space, combination: 0, isDrawn: true };
      }
    }
    return null;
  }
}

function poolsOf({ triggers, filters }: Selection): Pools {
  const pool = (listed: readonly SweepSignal[], role: SignalType) =>
    (listed.length > 0 ? listed : registryPool(role)).map(drawnOf);
  return { triggers: pool(triggers, 'TRIGGER'), filters: pool(filters, 'FILTER') };
}

function drawnOf(definition: SweepSignal): Drawn {
  const names = Object.keys(definition.params).sort();
  return { definition, params: names.map((name) => [name, drawOf(definition, name)]) };
}

/**
 * Draws a swept value, else takes the value that the author fixed, else draws within the bounds of
 * the registry.
 */
function drawOf({ signal, axes, params, fixed }: SweepSignal, name: string): (random: SplitMix64) => ParamValue {
  const otherwise = params[name];
  const axis = axes.find((one) => one.name === name);
  if (axis !== undefined) return (random) => axis.values[random.below(axis.values.length)];
  return fixed.has(name) ? () => otherwise : fromRegistry(signal.params[name], otherwise);
}

function fromRegistry(spec: ParamSpec, otherwise: ParamValue): (random: SplitMix64) => ParamValue {
  switch (spec.type) {
    case 'int':
      return (random) => spec.min + random.below(spec.max - spec.min + 1);
    case 'float':
      return (random) => Number((spec.min + random.uniform() * (spec.max - spec.min)).toFixed(NUMBER_DECIMALS));
    case 'bool':
      return (random) => random.below(2) === 1;
    case 'str':
      return spec.enum === undefined ? () => otherwise : (random) => spec.enum[random.below(spec.enum.length)];
    default:
      return () => otherwise;
  }
}

/** Every signal of the type except patterns, signals over chain columns, and the user's own. */
const unpooled: readonly SignalCategory[] = ['patterns', 'onchain', 'user'];
export function registryPool(role: SignalType): SweepSignal[] {
  return signals
    .filter(({ type, category }) => type === role && !unpooled.includes(category))
    .map((signal) => ({
      signal,
      role,
      timeframe: null,
      params: anyParams(signal),
      fixed: new Set<string>(),
      axes: [],
      constraints: signal.constraints,
    }));
}

/** Complete parameters with arbitrary values, which the draws replace. */
function anyParams(signal: Signal) {
  const least = Object.entries(signal.params).flatMap(([name, spec]) =>
    spec.default === undefined && 'min' in spec ? [[name, spec.min]] : [],
  );
  return completeParams(signal, Object.fromEntries(least));
}
