import { adaptiveAverages } from './adaptive.js';
import { candles } from './candles.js';
import { differences } from './differences.js';
import { directionalTrends } from './directional.js';
import { swings } from './divergence.js';
import { higherTimeframes } from './higher-timeframe.js';
import type { Indicator } from './indicator.js';
import { movingAverages } from './moving-averages.js';
import { oscillators } from './oscillators.js';
import { returns } from './returns.js';
import { rollingAverages } from './rolling.js';
import { observations } from './score.js';
import { smoothedAverages } from './smoothing.js';
import { trailingStops } from './trailing-stops.js';
import { volatilities } from './volatility.js';
import { volumes } from './volume.js';
import { weightedAverages } from './weighted.js';

const families = {
  average: { ...rollingAverages, ...smoothedAverages, ...weightedAverages, ...movingAverages, ...adaptiveAverages },
  oscillator: { ...oscillators, ...differences },
  trend: { ...directionalTrends, ...trailingStops, ...candles, ...swings, ...higherTimeframes },
  volatility: { ...volatilities, ...returns },
  volume: { ...volumes, ...observations },
} as const;

type IndicatorFamily = keyof typeof families;
export type IndicatorName = { [F in IndicatorFamily]: keyof (typeof families)[F] }[IndicatorFamily];

export const indicatorFamilies = Object.keys(families) as IndicatorFamily[];

/** Every indicator by name. */
export const indicatorCatalogue: Readonly<Record<IndicatorName, Indicator>> = {
  ...families.average,
  ...families.oscillator,
  ...families.trend,
  ...families.volatility,
  ...families.volume,
};

// biome-ignore lint/style/noNonNullAssertion: the families together are the table
export const indicatorFamily = (name: IndicatorName) => indicatorFamilies.find((family) => name in families[family])!;
