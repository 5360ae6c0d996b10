import { source } from '../../indicators/column.js';
import { SCORE } from '../../indicators/score.js';
import { above, all, below, crossesAbove, crossesBelow } from '../condition.js';
import { varies } from '../onchain/spikes.js';
import { columnName, float, int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

/**
 * Signals over a column that a parameter names, such as the predictions of a model. They are not
 * part of the documented library. X is the list of the column's values that are known at the close
 * of the bar, oldest first and without missing cells; X[m-1] is the newest.
 */

const THRESHOLD_MAX = 1e15;
const Z_MAX = 100;

const shared = {
  category: 'user',
  family: 'none',
  bias: 'neutral',
  requires: [],
  indicators: ['CLEAN'],
  observes: { param: 'column' },
} as const;

const level = { column: columnName(), threshold: float(-THRESHOLD_MAX, THRESHOLD_MAX, 0) };
const score = (threshold: number) => ({
  column: columnName(),
  window: int(2, 2_000, 20),
  threshold: float(-Z_MAX, Z_MAX, threshold),
});

const zScore =
  'b = X[m-1-window..m-2] (the window values before the newest), mu = mean(b), sd = sample standard deviation of b (ddof 1; taken as exactly 0 when all values of b are equal); sd > 0 and (X[m-1]-mu)/sd';

export const columnSignals: readonly Signal[] = [
  defineSignal({
    ...shared,
    name: 'column_above',
    type: 'FILTER',
    params: level,
    description: 'True while a column is above a threshold.',
    definition: 'X[m-1] > threshold',
    minBars: () => 1,
    condition: ({ column, threshold }) => above(source(column), threshold),
  }),
  defineSignal({
    ...shared,
    name: 'column_below',
    type: 'FILTER',
    params: level,
    description: 'True while a column is below a threshold.',
    definition: 'X[m-1] < threshold',
    minBars: () => 1,
    condition: ({ column, threshold }) => below(source(column), threshold),
  }),
  defineSignal({
    ...shared,
    name: 'column_crosses_above',
    type: 'TRIGGER',
    params: level,
    description: 'Fires when a column crosses above a threshold.',
    definition: 'X[m-2] <= threshold and X[m-1] > threshold',
    minBars: () => 2,
    condition: ({ column, threshold }) => crossesAbove(source(column), threshold),
  }),
  defineSignal({
    ...shared,
    name: 'column_crosses_below',
    type: 'TRIGGER',
    params: level,
    description: 'Fires when a column crosses below a threshold.',
    definition: 'X[m-2] >= threshold and X[m-1] < threshold',
    minBars: () => 2,
    condition: ({ column, threshold }) => crossesBelow(source(column), threshold),
  }),
  defineSignal({
    ...shared,
    name: 'column_zscore_above',
    type: 'FILTER',
    params: score(2),
    description: 'True while a column is unusually high against its last values.',
    definition: `${zScore} > threshold`,
    minBars: ({ window }) => window + 1,
    condition: ({ column, window, threshold }) =>
      all(varies(source(column), window), above(SCORE(source(column), window), threshold)),
  }),
  defineSignal({
    ...shared,
    name: 'column_zscore_below',
    type: 'FILTER',
    params: score(-2),
    description: 'True while a column is unusually low against its last values.',
    definition: `${zScore} < threshold`,
    minBars: ({ window }) => window + 1,
    condition: ({ column, window, threshold }) =>
      all(varies(source(column), window), below(SCORE(source(column), window), threshold)),
  }),
];
