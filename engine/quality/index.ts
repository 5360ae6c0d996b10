import type { SimulationInput, Trade } from '../execution/index.js';
import { barFindings } from './bars.js';
import { doubtFindings } from './doubtful-prices.js';
import { fillFindings, unpaidFunding } from './fills.js';
import type { QualityFinding } from './finding.js';

export { barFindings, finerFindings } from './bars.js';
export { honestSlippage, priceDoubts } from './doubtful-prices.js';
export type { QualityFinding } from './finding.js';
export { type Course, courseOfBars, includesDays, joinCourses, sameCourse } from './same-bars.js';

interface QualityInput {
  readonly run: SimulationInput;
  readonly trades: readonly Trade[];
  /** When the bars were stored, epoch ms; null where that is not known. */
  readonly heldAtMs: number | null;
  /** Holders of the asset pay funding. */
  readonly isPerpetual?: boolean | undefined;
}

/** What a reader must know about the bars and fills of a run before believing it. */
export const findQualityIssues = (input: QualityInput): QualityFinding[] => [
  ...barFindings(input.run.bars, input.heldAtMs),
  ...runFindings(input),
];

/** The same of the fills alone, and of the prices that they had. */
export function runFindings({ run, trades, isPerpetual = false }: Omit<QualityInput, 'heldAtMs'>): QualityFinding[] {
  const { bars, config } = run;
  return [
    ...fillFindings(run, trades),
    ...doubtFindings(bars, trades, config),
    ...(isPerpetual && config.funding ? unpaidFunding(bars, trades) : []),
  ];
}
