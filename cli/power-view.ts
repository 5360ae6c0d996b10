import { datasetName, type SearchPower } from '../engine/sweep/index.js';
import { count } from './output.js';

/** Datasets that are named; a line about more would be no line. */
const NAMED_MAX = 3;

/** Says before a sweep what edge it could find at all. */
export function powerWords(power: readonly SearchPower[]): string {
  const named = power.slice(0, NAMED_MAX).map((one) => {
    const { tries, earlierTries, years, half, most } = one;
    const made = `${count(tries)} tries${earlierTries > 0 ? ` after ${count(earlierTries)} others` : ''}`;
    const found = `finds a true Sharpe ratio of ${half.toFixed(1)} in half of cases, of ${most.toFixed(1)} in nine of ten`;
    return `${datasetName(one)}, ${made} over ${years.toFixed(1)} years, ${found}`;
  });
  const more = power.length - named.length;
  return `what it can find at all: ${named.join('; ')}${more > 0 ? `; and ${count(more)} more` : ''} (annualized; for unrelated tries: related ones find smaller edges too)`;
}
