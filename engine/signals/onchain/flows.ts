import { source } from '../../indicators/column.js';
import { MIN, SMA, SUM } from '../../indicators/rolling.js';
import { above, all, below, crossesAbove } from '../condition.js';
import { float, int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';
import { spikesAbove, spikesBelow } from './spikes.js';

const smartMoneyNetflow = source('SmartMoneyNetflow');
const exchangeNetflow = source('ExchangeNetflow');
const whaleNetInflow = source('WhaleNetInflow');
const etfNetFlow = source('EtfNetFlow');

const windowAndZThreshold = { window: int(5, 200, 20), z_threshold: float(0.5, 5, 2) };
const windowOnly = { window: int(2, 200, 14) };

export const flowsSignals: readonly Signal[] = [
  defineSignal({
    name: 'smart_money_inflow_spike',
    category: 'onchain',
    subcategory: 'chain',
    type: 'TRIGGER',
    family: 'none',
    bias: 'bullish',
    requires: ['SmartMoneyNetflow'],
    params: windowAndZThreshold,
    indicators: ['CLEAN'],
    description: 'Fires on an unusually large smart-money inflow.',
    definition:
      'b = X[m-1-window..m-2] (the window observations before the newest), mu = mean(b), sd = sample standard deviation of b (ddof 1; taken as exactly 0 when all values of b are equal); sd > 0 and X[m-1] > 0 and (X[m-1]-mu)/sd >= z_threshold',
    minBars: ({ window }) => window + 1,
    observes: 'SmartMoneyNetflow',
    condition: ({ window, z_threshold }) =>
      all(above(smartMoneyNetflow, 0), spikesAbove(smartMoneyNetflow, window, z_threshold)),
  }),
  defineSignal({
    name: 'smart_money_net_positive',
    category: 'onchain',
    subcategory: 'chain',
    type: 'FILTER',
    family: 'none',
    bias: 'bullish',
    requires: ['SmartMoneyNetflow'],
    params: windowOnly,
    indicators: ['CLEAN'],
    description: 'True while summed smart-money flow over the window is positive.',
    definition: 'sum(X[m-window..m-1]) > 0',
    minBars: ({ window }) => window,
    observes: 'SmartMoneyNetflow',
    condition: ({ window }) => above(SUM(smartMoneyNetflow, window), 0),
  }),
  defineSignal({
    name: 'exchange_outflow_spike',
    category: 'onchain',
    subcategory: 'chain',
    type: 'TRIGGER',
    family: 'none',
    bias: 'bullish',
    requires: ['ExchangeNetflow'],
    params: windowAndZThreshold,
    indicators: ['CLEAN'],
    description: 'Fires on an unusually large net outflow from exchanges.',
    definition:
      'b = X[m-1-window..m-2] (the window observations before the newest), mu = mean(b), sd = sample standard deviation of b (ddof 1; taken as exactly 0 when all values of b are equal); sd > 0 and X[m-1] < 0 and (X[m-1]-mu)/sd <= -z_threshold',
    minBars: ({ window }) => window + 1,
    observes: 'ExchangeNetflow',
    condition: ({ window, z_threshold }) =>
      all(below(exchangeNetflow, 0), spikesBelow(exchangeNetflow, window, z_threshold)),
  }),
  defineSignal({
    name: 'exchange_net_outflow',
    category: 'onchain',
    subcategory: 'chain',
    type: 'FILTER',
    family: 'none',
    bias: 'bullish',
    requires: ['ExchangeNetflow'],
    params: windowOnly,
    indicators: ['CLEAN'],
    description: 'True while exchanges show a net outflow over the window.',
    definition: 'sum(X[m-window..m-1]) < 0',
    minBars: ({ window }) => window,
    observes: 'ExchangeNetflow',
    condition: ({ window }) => below(SUM(exchangeNetflow, window), 0),
  }),
  defineSignal({
    name: 'whale_accumulation_trigger',
    category: 'onchain',
    subcategory: 'chain',
    type: 'TRIGGER',
    family: 'none',
    bias: 'bullish',
    requires: ['WhaleNetInflow'],
    params: { window: int(2, 100, 7) },
    indicators: ['CLEAN'],
    description: 'Fires when averaged whale flow turns positive.',
    definition: 'M = SMA(X,window): M[m-2] <= 0 and M[m-1] > 0',
    minBars: ({ window }) => window + 1,
    observes: 'WhaleNetInflow',
    condition: ({ window }) => crossesAbove(SMA(whaleNetInflow, window), 0),
  }),
  defineSignal({
    name: 'whale_net_accumulation',
    category: 'onchain',
    subcategory: 'chain',
    type: 'FILTER',
    family: 'none',
    bias: 'bullish',
    requires: ['WhaleNetInflow'],
    params: windowOnly,
    indicators: ['CLEAN'],
    description: 'True while summed whale flow over the window is positive.',
    definition: 'sum(X[m-window..m-1]) > 0',
    minBars: ({ window }) => window,
    observes: 'WhaleNetInflow',
    condition: ({ window }) => above(SUM(whaleNetInflow, window), 0),
  }),
  defineSignal({
    name: 'etf_inflow_streak',
    category: 'onchain',
    subcategory: 'defi',
    type: 'FILTER',
    family: 'none',
    bias: 'bullish',
    requires: ['EtfNetFlow'],
    params: { window: int(2, 60, 5) },
    indicators: ['CLEAN'],
    description: 'True while ETF flow has been positive on each of the last window observations.',
    definition: 'every one of X[m-window..m-1] > 0',
    minBars: ({ window }) => window,
    observes: 'EtfNetFlow',
    condition: ({ window }) => above(MIN(etfNetFlow, window), 0),
  }),
  defineSignal({
    name: 'etf_inflow_spike',
    category: 'onchain',
    subcategory: 'defi',
    type: 'TRIGGER',
    family: 'none',
    bias: 'bullish',
    requires: ['EtfNetFlow'],
    params: windowAndZThreshold,
    indicators: ['CLEAN'],
    description: 'Fires on an unusually large ETF inflow.',
    definition:
      'b = X[m-1-window..m-2] (the window observations before the newest), mu = mean(b), sd = sample standard deviation of b (ddof 1; taken as exactly 0 when all values of b are equal); sd > 0 and X[m-1] > 0 and (X[m-1]-mu)/sd >= z_threshold',
    minBars: ({ window }) => window + 1,
    observes: 'EtfNetFlow',
    condition: ({ window, z_threshold }) => all(above(etfNetFlow, 0), spikesAbove(etfNetFlow, window, z_threshold)),
  }),
];
