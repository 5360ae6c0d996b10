import type { ExtendedMetric } from './extended-metric.js';
import type { ExtendedRunFacts } from './extended-run.js';
import { DEVIATION_MIN } from './returns.js';
import { groupExits } from './trade-risk.js';

/** Extended metrics of the closed trades, one record each. */
export const tradeMetricTable = {
  system_quality_number: {
    unit: 'ratio',
    period: 'trade',
    description:
      'root of the number of trades times mean over sample deviation of profit and loss per amount at risk between entry and stop; no cap at 100 trades',
    source: 'Van Tharp, SQN on R-multiples',
    of: systemQuality,
  },
  kelly_fraction: {
    unit: 'fraction',
    period: 'trade',
    description: 'win rate less loss rate over payoff ratio; negative when trading loses, null without a payoff ratio',
    source: 'Kelly 1956',
    of: kelly,
  },
  payoff_ratio: {
    unit: 'ratio',
    period: 'trade',
    description: 'mean profit of winning trades over the absolute mean of the others; null unless both exist',
    source: 'Kelly 1956, the odds of a bet',
    of: payoff,
  },
  avg_mae: {
    unit: 'fraction',
    period: 'trade',
    description: 'mean over trades of the maximum adverse excursion from the entry price',
    source: 'Sweeney 1996',
    of: ({ excursions }) => meanOf(excursions.mae),
  },
  worst_mae: {
    unit: 'fraction',
    period: 'trade',
    description: 'largest maximum adverse excursion',
    source: 'Sweeney 1996',
    of: ({ excursions }) => maxOf(excursions.mae),
  },
  avg_mfe: {
    unit: 'fraction',
    period: 'trade',
    description: 'mean over trades of the maximum favourable excursion from the entry price',
    source: 'Sweeney 1996',
    of: ({ excursions }) => meanOf(excursions.mfe),
  },
  best_mfe: {
    unit: 'fraction',
    period: 'trade',
    description: 'largest maximum favourable excursion',
    source: 'Sweeney 1996',
    of: ({ excursions }) => maxOf(excursions.mfe),
  },
  worst_mae_full_bars: {
    unit: 'fraction',
    period: 'trade',
    description: 'largest maximum adverse excursion, where the bar of the exit counts from its low to its high',
    source: 'Sweeney 1996',
    of: ({ excursions }) => maxOf(excursions.maeFullBars),
  },
  best_mfe_full_bars: {
    unit: 'fraction',
    period: 'trade',
    description: 'largest maximum favourable excursion, where the bar of the exit counts from its low to its high',
    source: 'Sweeney 1996',
    of: ({ excursions }) => maxOf(excursions.mfeFullBars),
  },
  exits_by_reason: {
    unit: 'trades and amount',
    period: 'trade',
    description: 'closed trades and their mean profit and loss, per exit reason; the mean is null without trades',
    source: 'definition',
    of: ({ closed }) => groupExits(closed),
  },
  fees_paid: {
    unit: 'amount',
    period: 'trade',
    description: 'fees of both legs; 0 without trades',
    source: 'definition',
    of: ({ trades }) => trades.feeSum,
  },
  slippage_paid: {
    unit: 'amount',
    period: 'trade',
    description: 'slippage of both legs, already inside profit and loss; 0 without trades',
    source: 'definition',
    of: ({ trades }) => trades.slippageSum,
  },
} as const satisfies Readonly<Record<string, ExtendedMetric>>;

function systemQuality({ risk, trades }: ExtendedRunFacts): number {
  const deviation = Math.sqrt(risk.riskMultipleSquaredDeviationSum / (trades.count - 1));
  return deviation < DEVIATION_MIN ? Number.NaN : (Math.sqrt(trades.count) * risk.riskMultipleMean) / deviation;
}

function payoff({ trades }: ExtendedRunFacts): number {
  const lossCount = trades.count - trades.winCount;
  return trades.winSum / trades.winCount / -(trades.lossSum / lossCount);
}

/** Written as (b p - q) / b, so that infinite odds b give NaN instead of the win rate. */
function kelly(run: ExtendedRunFacts): number {
  const odds = payoff(run);
  const winRate = run.trades.winCount / run.trades.count;
  return (odds * winRate - (1 - winRate)) / odds;
}

/** NaN for an empty column. */
function meanOf(column: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < column.length; i++) sum += column[i];
  return sum / column.length;
}

/** Infinite for an empty column. */
function maxOf(column: Float64Array): number {
  let highest = -Infinity;
  for (let i = 0; i < column.length; i++) if (column[i] > highest) highest = column[i];
  return highest;
}
