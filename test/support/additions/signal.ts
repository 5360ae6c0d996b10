import type { Edit } from '../../crash/tree-copy.js';

const record = {
  name: 'column_rising',
  origin: 'barline',
  category: 'user',
  type: 'FILTER',
  requires: [],
  params: {
    column: {
      type: 'str',
      note: 'name of a column beside the bars: a letter, then up to 63 letters, digits and underscores',
      optional: false,
    },
    window: { type: 'int', min: 1, max: 200, default: 14, optional: true },
  },
  indicators: ['CLEAN'],
  definition: 'X[m-1] > X[m-1-window]',
  min_bars: 'window + 1',
  description: 'True while a column is higher than window values earlier.',
  family: 'none',
  bias: 'neutral',
  min_bars_counts: 'observations',
};

const conditions = 'engine/signals/conditions/columns.ts';
/** A condition over a column beside the bars. */
export const signal: readonly Edit[] = [
  {
    file: 'engine/signals/signals.json',
    from: '{"name": "column_above"',
    to: `${JSON.stringify(record)},\n{"name": "column_above"`,
  },
  {
    file: conditions,
    from: "import { above, all, below, crossesAbove, crossesBelow } from '../condition.js';",
    to: "import { above, ago, all, below, crossesAbove, crossesBelow } from '../condition.js';",
  },
  {
    file: conditions,
    after: 'export const columns = {\n',
    text: '  column_rising: ({ column, window }) => above(source(column), ago(source(column), window)),\n',
  },
  {
    file: 'test/reference/signals-columns.ts',
    after: 'export const columnSignals: SignalTable = {\n',
    text: `  column_rising: over(
    (p) => number(p, 'window') + 1,
    (x, p) => raw(x[x.length - 1] > x[x.length - 1 - number(p, 'window')]),
  ),
`,
  },
];

/** Tests that list or draw signals, hold plans and documents, or search among signals. */
export const signalTests = [
  ...['unit/engine/signals/records', 'unit/engine/sweep/random-plan', 'unit/docs/reference'],
  'property/signals',
];
