import type { Column } from '../../indicators/column.js';
import { DEVIATION } from '../../indicators/rolling.js';
import { SCORE } from '../../indicators/score.js';
import { above, ago, all, atLeast, atMost, type Condition } from '../condition.js';

/** The `window` observations before the newest one are all equal. */
export function isFlat(x: Column, window: number): Condition {
  const [, deviation] = DEVIATION(x, window, 1);
  return atMost(ago(deviation, 1), 0);
}

/** True where the values are not all equal. */
export const varies = (x: Column, window: number): Condition => {
  const [, deviation] = DEVIATION(x, window, 1);
  return above(ago(deviation, 1), 0);
};

/** At least `z` sample deviations above the mean of the `window` observations before it. */
export const spikesAbove = (x: Column, window: number, z: number): Condition =>
  all(varies(x, window), atLeast(SCORE(x, window), z));

/** At least `z` sample deviations below. */
export const spikesBelow = (x: Column, window: number, z: number): Condition =>
  all(varies(x, window), atMost(SCORE(x, window), -z));
