import type { ExecutionConfig, Trade } from '../execution/index.js';
import type { BarSeries } from '../series/index.js';
import { barFindings } from './bars.js';
import { doubtFindings } from './doubtful-prices.js';
import { fillFindings, unpaidFunding } from './fills.js';
import type { QualityFinding } from './finding.js';

export { barFindings, finerFindings } from './bars.js';
export { honestSlippage, priceDoubts } from './doubtful-prices.js';
export type { QualityFinding } from './finding.js';

interface QualityInput {
  readonly bars: BarSeries;
  readonly trades: readonly Trade[];
  readonly config: ExecutionConfig;
  /** When the bars were stored, epoch ms; null where that is not known. */
  readonly heldAtMs: number | null;
  /** Holders of the asset pay funding. */
  readonly isPerpetual?: boolean | undefined;
}

/** What a reader must know about the bars and fills of a run before believing it. */
export const qualityOf = (input: QualityInput): QualityFinding[] => [
  ...barFindings(input.bars, input.heldAtMs),
  ...runFindings(input),
];

/** The same of the fills alone, and of the prices that they had. */
export const runFindings = ({
  bars,
  trades,
  config,
  isPerpetual = false,
}: Omit<QualityInput, 'heldAtMs'>): QualityFinding[] => [
  ...fillFindings(bars, trades, config),
  ...doubtFindings(bars, trades, config),
  ...(isPerpetual && config.funding ? unpaidFunding(bars, trades) : []),
];
