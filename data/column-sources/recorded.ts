import { DAY_MS } from '../../engine/series/index.js';
import { readRecordedSeries } from '../recordings/index.js';
import { type ColumnSource, publishedIn } from './source.js';

interface Recorded {
  readonly series: Parameters<typeof readRecordedSeries>[1];
  /** How long after its time a value is published. */
  readonly delayMs: number;
}

// A funding rate is published at its settlement, a figure of a day when the day ends.
const fearGreed: Recorded = { series: 'fear and greed', delayMs: DAY_MS };
const recorded: Readonly<Record<string, Readonly<Record<string, Recorded>>>> = {
  BTC: { PerpFundingRate: { series: 'BTC-PERP funding', delayMs: 0 }, FearGreed: fearGreed },
  ETH: {
    PerpFundingRate: { series: 'ETH-PERP funding', delayMs: 0 },
    FearGreed: fearGreed,
    ActiveAddresses: { series: 'ethereum active addresses', delayMs: DAY_MS },
  },
};

/**
 * The bundled recordings: real values, as published.
 * @param folder of the recordings
 */
export function recordedColumns(folder: string): ColumnSource {
  return {
    name: 'recorded',
    licence: 'MIT',
    columnsFor: (asset) => Object.keys(recorded[asset] ?? {}),
    async fetch(asset, column, fromMs, toMs) {
      const found = recorded[asset]?.[column];
      if (found === undefined) throw new Error(`no recorded column ${column} of ${asset}`);
      const { time, value } = await readRecordedSeries(folder, found.series);
      const values = Array.from(time, (periodMs, i) => ({
        periodMs,
        publishedMs: periodMs + found.delayMs,
        value: value[i] ?? NaN,
      }));
      return publishedIn(values, fromMs, toMs);
    },
  };
}
