import assert from 'node:assert/strict';
import test from 'node:test';
import { ruleOf } from '../../engine/sweep/index.js';
import { seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';
import { filter, planOf, trigger } from '../support/sweeps.js';

type Params = Record<string, number>;
interface Listed {
  readonly name: string;
  readonly axes: Readonly<Record<string, readonly number[]>>;
}
type Constraint = readonly [string, '<' | '<=' | '>' | '>=' | '!=', string | number];

const compare: Readonly<Record<Constraint[1], (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '!=': (a, b) => a !== b,
};

/** Every combination of one signal, names in order, the last one fastest. */
function combinations({ axes }: Listed, constraints: readonly Constraint[]): Params[] {
  let all: Params[] = [{}];
  for (const name of Object.keys(axes).sort())
    all = all.flatMap((one) => axes[name].map((value) => ({ ...one, [name]: value })));
  const own: readonly Constraint[] =
    'window_fast' in axes ? [...constraints, ['window_fast', '<', 'window_slow']] : constraints;
  return all.filter((params) =>
    own.every(([left, operator, right]) => {
      const b = typeof right === 'number' ? right : params[right];
      return !(left in params) || b === undefined || compare[operator](params[left], b);
    }),
  );
}

function subsets<T>(list: readonly T[], size: number): T[][] {
  if (size === 0) return [[]];
  return list.flatMap((item, i) => subsets(list.slice(i + 1), size - 1).map((rest) => [item, ...rest]));
}

const product = <T>(lists: readonly (readonly T[])[]): T[][] =>
  lists.reduce<T[][]>((all, list) => all.flatMap((one) => list.map((item) => [...one, item])), [[]]);

/** The rule sets of a side in the order of the definition. */
function sides(
  triggers: readonly Listed[],
  filters: readonly Listed[],
  min: number,
  max: number,
  c: readonly Constraint[],
) {
  if (triggers.length === 0) return [[]];
  return triggers.flatMap((one) =>
    Array.from({ length: max - min + 1 }, (_, i) => subsets(filters, min + i))
      .flat()
      .flatMap((set) =>
        product(
          [one, ...set].map((signal) => combinations(signal, c).map((params) => ({ name: signal.name, params }))),
        ),
      ),
  );
}

test('a grid has the same runs in the same order as nested loops give', () => {
  const random = seededRandom(21);
  const below = (n: number) => Math.floor(random() * n);
  const axis = (from: number) => Array.from({ length: 1 + below(3) }, (_, k) => from + 7 * k);
  const pick = <T>(list: readonly T[], least: number): T[] => {
    const count = least + below(list.length + 1 - least);
    return [...list].sort(() => random() - 0.5).slice(0, count);
  };
  const triggers = (): Listed[] =>
    pick(['sma_cross_up', 'sma_cross_down', 'rsi_cross_up'], 0).map((name) => ({
      name,
      axes: name.startsWith('sma')
        ? { window_slow: axis(10), window_fast: axis(5) }
        : { window: axis(5), threshold: axis(30) },
    }));
  const filters = (least: number): Listed[] =>
    pick(['is_above_sma', 'is_above_dema', 'is_above_tema'], least).map((name) => ({
      name,
      axes: { window: axis(20) },
    }));
  const asJson = (make: typeof trigger, { name, axes }: Listed) =>
    make(name, Object.fromEntries(Object.entries(axes).map(([param, values]) => [param, { values }])));

  for (let round = 0; round < runs(20, 3_000); round++) {
    const entryTriggers = triggers();
    if (entryTriggers.length === 0) continue;
    const entryFilters = filters(1);
    const min = 1 + below(entryFilters.length);
    const max = min + below(entryFilters.length - min + 1);
    const constraints: Constraint[] =
      random() < 0.5 ? [] : [['window', (['<', '<=', '>', '>=', '!='] as const)[below(5)], 27]];
    const exitTriggers = triggers();
    const exitFilters = exitTriggers.length === 0 ? [] : filters(0);
    const exitMax = below(exitFilters.length + 1);
    const factors = axis(2);
    const expected = sides(entryTriggers, entryFilters, min, max, constraints).flatMap((entry) =>
      sides(exitTriggers, exitFilters, 0, exitMax, []).flatMap((exit) =>
        factors.map((factor) => ({ entry, exit, factor })),
      ),
    );
    const json = {
      name: 'random grid',
      datasets: [{ asset: 'BTC', timeframe: '1h' }],
      entry_signals: {
        triggers: entryTriggers.map((one) => asJson(trigger, one)),
        filters: entryFilters.map((one) => asJson(filter, one)),
        min_filters: min,
        max_filters: max,
        constraints,
      },
      exit_signals: {
        triggers: exitTriggers.map((one) => asJson(trigger, one)),
        filters: exitFilters.map((one) => asJson(filter, one)),
        max_filters: exitMax,
      },
      execution_config: { sweep_axes: [{ param: 'reward_factor', values: factors }] },
    };
    if (expected.length === 0) {
      assert.throws(() => planOf(json), /no valid combination/);
      continue;
    }
    const plan = planOf(json);
    const actual = Array.from({ length: plan.totalRuns }, (_, i) => {
      const { entry, exit, variant, dataset } = plan.run(i);
      const rules = (side: typeof entry) =>
        side.map((choice) => {
          const { name, params } = ruleOf(choice, dataset);
          return { name, params };
        });
      return { entry: rules(entry), exit: rules(exit), factor: factors[variant] };
    });
    assert.deepEqual(actual, expected);
  }
});
