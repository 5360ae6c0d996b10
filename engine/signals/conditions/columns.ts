import { source } from '../../indicators/column.js';
import { SCORE } from '../../indicators/score.js';
import { above, all, below, crossesAbove, crossesBelow } from '../condition.js';
import type { Rules } from '../signal.js';
import { varies } from './onchain.js';

/**
 * Over a column that a parameter names, such as the predictions of a model. These signals are not
 * part of the documented library. X is the list of the column's values that are known at the close
 * of the bar, oldest first and without missing cells; X[m-1] is the newest.
 */
export const columns = {
  column_above: ({ column, threshold }) => above(source(column), threshold),
  column_below: ({ column, threshold }) => below(source(column), threshold),
  column_crosses_above: ({ column, threshold }) => crossesAbove(source(column), threshold),
  column_crosses_below: ({ column, threshold }) => crossesBelow(source(column), threshold),
  column_zscore_above: ({ column, window, threshold }) =>
    all(varies(source(column), window), above(SCORE(source(column), window), threshold)),
  column_zscore_below: ({ column, window, threshold }) =>
    all(varies(source(column), window), below(SCORE(source(column), window), threshold)),
} satisfies Partial<Rules>;
