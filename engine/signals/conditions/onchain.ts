import { type Column, source } from '../../indicators/column.js';
import { DEVIATION, MIN, SMA, SUM } from '../../indicators/rolling.js';
import { SCORE } from '../../indicators/score.js';
import { above, ago, all, any, atLeast, atMost, below, type Condition, crossesAbove } from '../condition.js';
import type { Rules } from '../signal.js';

const smartMoneyNetflow = source('SmartMoneyNetflow');
const exchangeNetflow = source('ExchangeNetflow');
const whaleNetInflow = source('WhaleNetInflow');
const etfNetFlow = source('EtfNetFlow');
const smartMoneyHoldings = source('SmartMoneyHoldings');
const holderConcentration = source('HolderConcentration');
const tokenUnlockPressure = source('TokenUnlockPressure');
const perpFundingRate = source('PerpFundingRate');
const treasuryUsd = source('TreasuryUsd');
const lendingRateSpread = source('LendingRateSpread');

export const onchain = {
  smart_money_inflow_spike: ({ window, z_threshold }) =>
    all(above(smartMoneyNetflow, 0), spikesAbove(smartMoneyNetflow, window, z_threshold)),
  smart_money_net_positive: ({ window }) => above(SUM(smartMoneyNetflow, window), 0),
  exchange_outflow_spike: ({ window, z_threshold }) =>
    all(below(exchangeNetflow, 0), spikesBelow(exchangeNetflow, window, z_threshold)),
  exchange_net_outflow: ({ window }) => below(SUM(exchangeNetflow, window), 0),
  whale_accumulation_trigger: ({ window }) => crossesAbove(SMA(whaleNetInflow, window), 0),
  whale_net_accumulation: ({ window }) => above(SUM(whaleNetInflow, window), 0),
  etf_inflow_streak: ({ window }) => above(MIN(etfNetFlow, window), 0),
  etf_inflow_spike: ({ window, z_threshold }) =>
    all(above(etfNetFlow, 0), spikesAbove(etfNetFlow, window, z_threshold)),
  smart_money_holdings_cross: ({ window }) => crossesAbove(smartMoneyHoldings, SMA(smartMoneyHoldings, window)),
  smart_money_holdings_rising: ({ window }) => above(smartMoneyHoldings, ago(smartMoneyHoldings, window)),
  holder_concentration_low: ({ threshold }) => below(holderConcentration, threshold),
  holder_concentration_falling: ({ window }) => below(holderConcentration, ago(holderConcentration, window)),
  token_unlock_pressure_low: ({ threshold }) => atMost(tokenUnlockPressure, threshold),
  token_unlock_cliff_ahead: ({ window, z_threshold, min_pressure }) =>
    all(
      atLeast(tokenUnlockPressure, min_pressure),
      any(isFlat(tokenUnlockPressure, window), spikesAbove(tokenUnlockPressure, window, z_threshold)),
    ),
  funding_negative_regime: ({ window }) => below(SMA(perpFundingRate, window), 0),
  funding_flip_positive: () => crossesAbove(perpFundingRate, 0),
  treasury_growing: ({ window }) => above(treasuryUsd, ago(treasuryUsd, window)),
  treasury_accumulation_trigger: ({ window }) => crossesAbove(treasuryUsd, SMA(treasuryUsd, window)),
  lending_spread_low: ({ threshold }) => atMost(lendingRateSpread, threshold),
  lending_spread_widening: ({ window }) => crossesAbove(lendingRateSpread, SMA(lendingRateSpread, window)),
} satisfies Partial<Rules>;

/** The `window` observations before the newest one are all equal. */
function isFlat(x: Column, window: number): Condition {
  const [, deviation] = DEVIATION(x, window, 1);
  return atMost(ago(deviation, 1), 0);
}

/** True where the values are not all equal. */
export const varies = (x: Column, window: number): Condition => {
  const [, deviation] = DEVIATION(x, window, 1);
  return above(ago(deviation, 1), 0);
};

/** At least `z` sample deviations above the mean of the `window` observations before it. */
const spikesAbove = (x: Column, window: number, z: number): Condition =>
  all(varies(x, window), atLeast(SCORE(x, window), z));

/** At least `z` sample deviations below. */
const spikesBelow = (x: Column, window: number, z: number): Condition =>
  all(varies(x, window), atMost(SCORE(x, window), -z));
