import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { type ExecutionField, executionFields, resolveConfig } from '../../engine/execution/index.js';
import { HOUR_MS } from '../../engine/series/index.js';
import { Problems } from '../../engine/sweep/problems.js';
import { readVariants } from '../../engine/sweep/read-variants.js';
import { runs } from '../support/scale.js';

interface Axis {
  readonly param: string;
  readonly values: readonly (number | string | boolean)[];
}

const EXTREMES = [-1e308, -1, -0.5, 0, 1e-9, 0.5, 1, 2, 1000, 1e308];

const isValid = (settings: object): boolean => {
  try {
    resolveConfig({ request: settings, interval: HOUR_MS, takesPositionFields: true });
    return true;
  } catch {
    return false;
  }
};

/** Every setting that may be swept, with those of its extreme values that are valid beside the defaults. */
const axes: readonly Axis[] = Object.entries<ExecutionField>(executionFields)
  .filter(([name, { kind }]) => name !== 'allow_generated_bars' && !['object', 'pairs', 'interval'].includes(kind))
  .map(([param, { kind, values }]) => ({
    param,
    values: (values ?? (kind === 'boolean' ? [false, true] : EXTREMES)).filter((value) => isValid({ [param]: value })),
  }));

/** The messages for a sweep of the axes, and whether one of its variants cannot be resolved. */
function verdicts(sweep_axes: readonly Axis[], base: object = {}) {
  const problems = new Problems();
  const variants = readVariants({ base, sweep_axes }, [HOUR_MS], problems);
  const broken = Array.from({ length: variants.count }, (_, v) => v).filter((v) => !isValid(variants.settings(v)));
  return { errors: problems.errors, isBroken: broken.length > 0 };
}

test('reading a sweep refuses exactly the pairs of settings that exclude each other', () => {
  let refused = 0;
  for (const [i, a] of axes.entries()) {
    for (const b of axes.slice(i + 1)) {
      const { errors, isBroken } = verdicts([a, b]);
      assert.equal(errors.length > 0, isBroken, `${a.param} and ${b.param}: ${errors.join('; ')}`);
      refused += Number(isBroken);
    }
  }
  assert.ok(refused >= 2, `${refused} pairs`);
});

test('reading a sweep also refuses combinations of several settings on any base', () => {
  const some = fc
    .subarray([...axes], { minLength: 2, maxLength: 4 })
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map(({ param, values }) =>
          fc
            .subarray([...values], { minLength: 1, maxLength: Math.min(3, values.length) })
            .map((few) => ({ param, values: few })),
        ),
      ),
    );
  const base = fc.constantFrom(
    {},
    { max_hold_bars: null },
    { max_hold_time_hours: 1e308 },
    { enable_volatility_adjustment: true },
    { volatility_mode: 'off', enable_volatility_adjustment: true },
    { volatility_mode: 'off', enable_volatility_adjustment: true, target_volatility: 0 },
    { entry_order: 'limit', entry_offset_pct: 0.01 },
    { entry_order: 'limit' }, // an axis may give what it lacks
    { position_sizing: 'volatility_target' },
    { leverage: 2 },
  );
  const check = fc.property(some, base, (sweepAxes, settings) => {
    const { errors, isBroken } = verdicts(sweepAxes, settings);
    assert.equal(errors.length > 0, isBroken, errors.join('; '));
  });
  fc.assert(check, { numRuns: runs(75, 20_000) });
});
