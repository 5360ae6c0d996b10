import { type BarSeries, FUNDING_COLUMN } from '../series/index.js';
import type { ExecutionConfig } from './config.js';

/** The rate that positions held at the close of a bar pay; 0 where none is known or charged. */
export const fundingRate = (
  { columns }: BarSeries,
  bar: number,
  { funding }: Pick<ExecutionConfig, 'funding'>,
): number => (funding && columns[FUNDING_COLUMN]?.[bar]) || 0; // NaN and -0 as 0

/** Whether the bars say what was settled in them, be it nothing. */
export const hasSettledFunding = ({ columns }: BarSeries): boolean => columns[FUNDING_COLUMN] !== undefined;

/** The bars with a rate other than 0, in order; none where funding is not charged. */
export function fundingBars(bars: BarSeries, config: Pick<ExecutionConfig, 'funding'>): Int32Array {
  const found: number[] = [];
  if (config.funding && bars.columns[FUNDING_COLUMN] !== undefined) {
    for (let i = 0; i < bars.barCount; i++) if (fundingRate(bars, i, config) !== 0) found.push(i);
  }
  return Int32Array.from(found);
}
